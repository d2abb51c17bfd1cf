"""Parquet, Arrow and ORC as batches of rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from .failure import Failure, first_line

BATCH_BYTES = 4 << 20  # of a batch of rows, as far as the table says how long its rows are
MOST_ROWS = 16384
PARQUET, ARROW, STREAM, ORC = "parquet", "arrow", "arrow-stream", "orc"

class Damage(Exception):
    """Rows that cannot be read; the rows behind them can."""

    def __init__(self, rows: int, message: str) -> None:
        super().__init__(message)
        self.rows = rows


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
        metadata = self.file.metadata
        names = [self.schema.names[i] for i in columns]
        for group in range(metadata.num_row_groups):
            of_group = metadata.row_group(group)
            done, rows, tried = 0, of_group.num_rows, -1
            at_once = rows_at_once(of_group.total_byte_size, rows)
            while done < rows:
                problem = None
                try:
                    for batch in self.group(group, names, at_once, done):
                        done += batch.num_rows
                        yield batch
                    if done < rows:
                        problem = f"row group {group}: it has fewer rows than it says"
                except MemoryError:
                    if at_once > 1:  # long rows: again, one at a time
                        at_once = 1
                        continue
                    problem = f"row group {group}: a row takes more memory than there is for it"
                except Failure:
                    raise
                except Exception as error:  # noqa: BLE001  whatever the library makes of damage
                    if self.check is not None and tried < done:
                        self.check()
                        tried = done
                        continue
                    problem = f"row group {group}: {first_line(error)}"
                if problem:
                    yield Damage(rows - done, problem)
                    break

    def group(self, group: int, names: list[str], at_once: int, done: int) -> Iterator[Any]:
        if not names:
            yield from empty_batches(self.file.metadata.row_group(group).num_rows - done)
            return
        for batch in self.file.iter_batches(at_once, [group], columns=names, use_threads=False):
            if done >= batch.num_rows:
                done -= batch.num_rows
                continue
            yield batch.slice(done)
            done = 0


def rows_at_once(size: int, rows: int) -> int:
    return max(1, min(MOST_ROWS, BATCH_BYTES * rows // max(1, size)))


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
                yield Damage(0, f"{what} {at}: {first_line(error)}")
                if self.count is None:
                    return
                at += 1
                continue
            at += 1
            step = rows_at_once(batch.nbytes, batch.num_rows)
            for begin in range(0, batch.num_rows, step):
                yield batch.slice(begin, step).select(columns)

    def batch(self, at: int) -> Any:
        if self.format == ORC:
            return self.file.read_stripe(at)
        return self.file.get_batch(at) if self.format == ARROW else self.file.read_next_batch()


def is_table(head: bytes) -> bool:
    """As far as the first eight bytes tell."""
    return head.startswith((b"PAR1", b"ARROW1", b"ORC", b"\xff\xff\xff\xff"))


def open_table(file: Any, address: str, check: Check | None = None) -> ParquetTable | BatchTable:
    """A Failure "corrupt" when the table cannot be read at all."""
    head = file.read(8)
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
