"""twinset inside other frameworks; each module needs the package that it is named for.

``datatrove``: a block of a pipeline. ``scrapy``: a pipeline of items. ``ir``:
collections of ir_datasets in, runs of PyTerrier collapsed. ``streams``: documents
that come one after the other, as of a streamed ``datasets.IterableDataset``; a
``datasets.Dataset`` goes to ``twinset.dedup`` as it is.
"""
