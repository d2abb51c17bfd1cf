"""Figures, tables and files of pages that are made of measurements. The same results, the same bytes."""


def number(value):
    """About three significant digits, without an exponent."""
    if value == 0:
        return '0'
    if value >= 100:
        return '%.0f' % value
    return '%.1f' % value if value >= 10 else '%.2f' % value if value >= 0.095 else '%.3f' % value


def share(value):
    """A share with four digits; 1 only where it is exactly 1, 0 only where it is nothing."""
    if value in (0, 1):
        return '%d' % value
    return '%.4f' % min(0.9999, max(0.0001, value))


def megabytes(count):
    return '{:,.0f}'.format(count / 1e6)


def thread_words(threads):
    return 'one thread' if threads == 1 else '%d threads' % threads


def stage_words(stages):
    """The seconds of each stage that took any."""
    return ', '.join('%s %s' % (name, number(seconds)) for name, seconds in stages.items() if seconds >= 0.0005)


def table(head, rows):
    return ['| ' + ' | '.join(head) + ' |', '|' + '---|' * len(head),
            *('| ' + ' | '.join(map(str, row)) + ' |' for row in rows), '']


def write_files(made, plots, docs):
    """Writes {path below docs: text}. Plots of an earlier page go."""
    for old in (docs / plots).glob('*.svg'):
        old.unlink()
    for name, content in made.items():
        (docs / name).parent.mkdir(parents=True, exist_ok=True)
        (docs / name).write_text(content, encoding='utf-8')
        print('wrote docs/%s' % name)
