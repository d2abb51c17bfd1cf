"""Parquet, Arrow and ORC as batches of rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from .failure import Failure, first_line

BATCH_BYTES = 4 << 20  # of a batch of rows, as far as the table says how long its rows are
MOST_ROWS = 16384
FIRST_ROWS = 64  # of a group: from them one sees how many are a batch
SMALL_BATCHES, MOST_GROWTHS = 16, 3  # of a group: after so many small batches they become larger, so often
PARQUET, ARROW, STREAM, ORC = "parquet", "arrow", "arrow-stream", "orc"

class Damage(Exception):
    """Rows that cannot be read, or not in the memory there is; the rows behind them can."""

    def __init__(self, rows: int, message: str, is_memory: bool = False) -> None:
        super().__init__(message)
        self.rows, self.is_memory = rows, is_memory


Check = Callable[[], Any]  # a Failure when the store of a table does not answer, which is no damage of the table


class ParquetTable:
    format = PARQUET

    def __init__(self, file: Any, check: Check | None) -> None:
        import pyarrow.parquet as pq

        self.check = check
        # Pages are read as they are wanted, so that a row group of any size takes the memory of a page.
        self.file = pq.ParquetFile(file, buffer_size=1 << 20, pre_buffer=False, page_checksum_verification=True)
        self.schema = self.file.schema_arrow
        self.rows = self.file.metadata.num_rows

    def batches(self, columns: list[int]) -> Iterator[Any]:
        """Batches of rows, and a Damage where some cannot be read."""
        names = [self.schema.names[i] for i in columns]
        for group in range(self.file.metadata.num_row_groups):
            for batch in self.group_batches(group, names):
                # A name brings all columns that are called so, and a.b also the b of a.
                is_one = isinstance(batch, Damage) or not names
                yield batch if is_one else batch.select([batch.schema.names.index(name) for name in names])

    def group_batches(self, group: int, names: list[str]) -> Iterator[Any]:
        """Batches of the rows of a group, and a Damage for those behind the last one that can be read."""
        of_group = self.file.metadata.row_group(group)
        done, rows, tried = 0, of_group.num_rows, -1
        at_once = rows_at_once(of_group.total_byte_size, rows)
        while done < rows:
            try:
                for batch in self.group(group, names, at_once, done):
                    done += batch.num_rows
                    yield batch
                if done < rows:
                    yield Damage(rows - done, f"row group {group}: it has fewer rows than it says")
                return
            except MemoryError:
                if at_once == 1:
                    yield Damage(rows - done, f"row group {group}: a row takes more memory than there is for it", True)
                    return
                at_once = 1  # long rows: again, one at a time
            except Failure:
                raise
            except Exception as error:  # noqa: BLE001  whatever the library makes of damage
                if self.check is not None:
                    self.check()
                    if tried < done:
                        tried = done
                        continue
                column = self.damaged_column(group, names, at_once)
                yield Damage(rows - done, f"row group {group}{column}: {first_line(error)}")
                return

    def damaged_column(self, group: int, names: list[str], at_once: int) -> str:
        """Which of several columns cannot be read, as a part of a message."""
        for name in names if len(names) > 1 else ():
            try:
                for _ in self.group(group, [name], at_once, 0):
                    pass
            except Exception:  # noqa: BLE001  what it is has been told
                return f", column {name}"
        return ""

    def group(self, group: int, names: list[str], at_once: int, done: int) -> Iterator[Any]:
        """The rows of a group behind its first ``done``, at most ``at_once`` in a batch."""
        rows = self.file.metadata.row_group(group).num_rows
        if not names:
            yield from empty_batches(rows - done)
            return
        # A group tells how much stands in it, and a value of a dictionary stands in it once for all its rows: so a few
        # rows are looked at before many are held. Another size of batches reads the group again, up to its place.
        most, at_once = at_once, min(at_once, FIRST_ROWS)
        small, growths, is_first = 0, 0, True
        while done < rows:
            for batch in self._behind(group, names, at_once, done):
                done += batch.num_rows
                yield batch
                fit = min(most, rows_at_once(size_of(batch), batch.num_rows))
                small = small + 1 if fit > 4 * at_once else 0
                grows = small >= SMALL_BATCHES and growths < MOST_GROWTHS and done <= rows // 2
                growths += grows
                if grows or (fit > at_once if is_first else fit < at_once // 4):
                    at_once, small, is_first = fit, 0, False
                    break
                is_first = False
            else:
                return

    def _behind(self, group: int, names: list[str], at_once: int, done: int) -> Iterator[Any]:
        for batch in self.file.iter_batches(at_once, [group], columns=names, use_threads=False):
            if done >= batch.num_rows:
                done -= batch.num_rows
                continue
            yield batch.slice(done)
            done = 0


def rows_at_once(size: int, rows: int) -> int:
    return max(1, min(MOST_ROWS, BATCH_BYTES * rows // max(1, size)))


def size_of(batch: Any) -> int:
    """Bytes of a batch in which each row holds its values of dictionaries itself."""
    return sum(map(size_of_column, batch.columns))


def size_of_column(column: Any) -> int:
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = column.type
    if pa.types.is_dictionary(kind):
        size, values = int(column.indices.nbytes), column.dictionary
        if kind.value_type in (pa.string(), pa.large_string(), pa.binary(), pa.large_binary()):
            return size + (pc.sum(pc.binary_length(values).take(column.indices)).as_py() or 0)
        return size + len(column) * int(values.nbytes) // max(1, len(values))
    if pa.types.is_struct(kind):
        return sum(map(size_of_column, column.flatten()))
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return 4 * len(column) + size_of_column(column.flatten())
    return int(column.nbytes)


def empty_batches(rows: int) -> Iterator[Any]:
    import pyarrow as pa

    while rows > 0:
        yield pa.RecordBatch.from_struct_array(pa.array([{}] * min(rows, MOST_ROWS), pa.struct([])))
        rows -= MOST_ROWS


class BatchTable:
    """Arrow files and streams, and ORC: a sequence of batches or stripes."""

    def __init__(self, file: Any, kind: str, check: Check | None) -> None:
        import pyarrow as pa

        self.format, self.check = kind, check
        if kind == ORC:
            import pyarrow.orc

            self.file = pyarrow.orc.ORCFile(file)
            self.schema, self.count, self.rows = self.file.schema, self.file.nstripes, self.file.nrows
        elif kind == ARROW:
            self.file = pa.ipc.open_file(file)
            self.schema, self.count, self.rows = self.file.schema, self.file.num_record_batches, None
        else:
            self.file = pa.ipc.open_stream(file)
            self.schema, self.count, self.rows = self.file.schema, None, None

    def batches(self, columns: list[int]) -> Iterator[Any]:
        """Batches of rows, and a Damage where some cannot be read."""
        for batch in self.whole_batches():
            if isinstance(batch, Damage):
                yield batch
                continue
            step = rows_at_once(size_of(batch), batch.num_rows)
            for begin in range(0, batch.num_rows, step):
                yield batch.slice(begin, step).select(columns)

    def whole_batches(self) -> Iterator[Any]:
        """The batches or stripes as they stand in the file, with all columns, and a Damage of no row for each other."""
        at, tried = 0, -1
        while self.count is None or at < self.count:
            try:
                batch = self.batch(at)
            except StopIteration:
                return
            except Failure:
                raise
            except Exception as error:  # noqa: BLE001
                if self.check is not None:
                    self.check()
                    if self.count is not None and tried < at:
                        tried = at
                        continue
                what = "stripe" if self.format == ORC else "batch"
                yield Damage(0, f"{what} {at}: {first_line(error)}", isinstance(error, MemoryError))
                if self.count is None:
                    return
                at += 1
                continue
            at += 1
            yield batch

    def batch(self, at: int) -> Any:
        if self.format == ORC:
            return self.file.read_stripe(at)
        return self.file.get_batch(at) if self.format == ARROW else self.file.read_next_batch()


def is_table(head: bytes) -> bool:
    """As far as the first eight bytes tell."""
    return head.startswith((b"PAR1", b"ARROW1", b"ORC", b"\xff\xff\xff\xff"))


def open_table(file: Any, address: str, check: Check | None = None) -> ParquetTable | BatchTable:
    """A Failure "corrupt" when the table cannot be read at all."""
    try:
        head = file.read(8)
    except OSError:  # no damage
        if check is not None:
            check()
        raise
    try:
        return table_of(file, head, check)
    except Failure:
        raise
    except MemoryError:
        raise Failure("corrupt", "what it says of itself takes more memory than there is for it", address) from None
    except Exception as error:  # noqa: BLE001
        if check is not None:
            check()
        raise Failure("corrupt", f"not a table that can be read: {first_line(error)}", address) from None


def table_of(file: Any, head: bytes, check: Check | None) -> ParquetTable | BatchTable:
    file.seek(0)
    if head.startswith(b"PAR1"):
        return ParquetTable(file, check)
    if head.startswith(b"ARROW1"):
        return BatchTable(file, ARROW, check)
    return BatchTable(file, ORC if head.startswith(b"ORC") else STREAM, check)
