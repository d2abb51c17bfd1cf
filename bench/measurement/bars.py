"""Bar charts with a logarithmic scale as plain SVG text. The same numbers give the same bytes.

    bar_chart('Seconds', ('one thread', 'all'), [('twinset', True, (0.4, 0.2)), ('a peer', False, (3.1, None))])

Rows are (label, whether it is ours, a value of each series or None where there is none).
"""
import math
from xml.sax.saxutils import escape

from measurement.page_text import number

WIDTH, LABELS, VALUES, BAR, GAP, TOP, BOTTOM = 760, 220, 70, 11, 9, 58, 26
COLOURS = ('#1f6f8b', '#9bc7d4')
OWN_COLOURS = ('#b3541e', '#e3a77f')


class Axis:
    """From values to places: logarithmic over whole powers of ten; nothing has no length."""

    def __init__(self, values):
        positive = [v for v in values if v > 0] or [1]
        self.low = math.floor(math.log10(min(positive)) - 1e-9)
        self.high = max(self.low + 1, math.ceil(math.log10(max(positive)) - 1e-9))
        self.ticks = [10.0 ** power for power in range(self.low, self.high + 1)]

    def place(self, value):
        part = (math.log10(value) - self.low) / (self.high - self.low) if value > 0 else 0
        return LABELS + (WIDTH - LABELS - VALUES) * part


def text(x, y, words, anchor='start', weight='normal', size=12):
    return '<text x="%.1f" y="%.1f" text-anchor="%s" font-weight="%s" font-size="%d">%s</text>' % (
        x, y, anchor, weight, size, escape(words))


def bar_chart(title, series, rows):
    step = BAR * len(series) + GAP
    height = TOP + step * len(rows) + BOTTOM
    axis = Axis([v for _, _, values in rows for v in values if v is not None])
    lines = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" '
             'font-family="sans-serif" fill="#222" role="img">' % (WIDTH, height, WIDTH, height),
             '<title>%s</title>' % escape(title),
             '<rect width="%d" height="%d" fill="#fff"/>' % (WIDTH, height),
             text(12, 22, title, weight='bold', size=14)]
    for i, name in enumerate(series if len(series) > 1 else ()):
        lines += ['<rect x="%d" y="33" width="11" height="11" fill="%s"/>' % (LABELS + 150 * i, COLOURS[i]),
                  text(LABELS + 150 * i + 16, 43, name)]
    bottom = TOP + step * len(rows)
    for tick in axis.ticks:
        x = axis.place(tick)
        lines += ['<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="#ddd"/>' % (x, TOP - 4, x, bottom),
                  text(x, bottom + 15, '%g' % tick, 'middle', size=11)]
    for place, (label, own, values) in enumerate(rows):
        y = TOP + step * place
        lines.append(text(LABELS - 8, y + BAR * len(series) / 2 + 4, label, 'end', 'bold' if own else 'normal'))
        for i, value in enumerate(values):
            if value is None:
                continue
            end = max(axis.place(value), LABELS + 1)
            lines += ['<rect x="%d" y="%d" width="%.1f" height="%d" fill="%s"/>' % (
                          LABELS, y + BAR * i, end - LABELS, BAR - 1, (OWN_COLOURS if own else COLOURS)[i]),
                      text(end + 4, y + BAR * i + 9, number(value), size=10)]
    return '\n'.join(lines + ['</svg>']) + '\n'
