"""What datasketch 1.10.0 computes, recorded once with numpy 2.4.6.

In an environment with ``pip install datasketch==1.10.0``::

    m = MinHash(num_perm=6, seed=7); m.update_batch(SETS[name])   # VALUES: m.hashvalues
    m = MinHash(); m.update_batch(SETS[name])   # DIGESTS: sha256(m.hashvalues.astype("<u8").tobytes())
    # m as for VALUES["words"] in what follows
    LeanMinHash(m).serialize(b)                                   # LEAN: b.hex()
    pickle.dumps(m, 2), pickle.dumps(LeanMinHash(m), 2)           # MINHASH_PICKLE, LEAN_PICKLE
    lsh = MinHashLSH(num_perm=6, params=(3, 2))
    lsh.insert("w", m); lsh.insert("e", MinHash(num_perm=6, seed=7))
    pickle.dumps(lsh, 2)                                          # LSH_PICKLE

The pickles stand here as the base64 of their zlib.
"""

SETS = {
    "empty": [],
    "one": [b"a"],
    "words": b"the quick brown fox jumps over the lazy dog".split(),
    "unicode": [token.encode() for token in ("naïve", "日本", "🙂", "")],
    "long": [b"x" * length for length in range(200)],
}
VALUES = {
    "empty": [4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295],
    "one": [4118412311, 266539363, 2561567096, 3408356684, 153272480, 3866174260],
    "words": [280838625, 145915567, 473578354, 1070740606, 345732190, 414012885],
    "unicode": [90035898, 2069951267, 1388597120, 255937237, 792261195, 404627087],
    "long": [46113119, 41925813, 40881338, 26540890, 89137302, 2582366],
}
DIGESTS = {
    "empty": "2d9ad807780d7e7ede906600643c4545703e12583de3b49e5b89109e7f713252",
    "one": "df9ae59c5c60ce1ba74bb2bd01dfd91866131d51a4b61d4c756736b65b59bb6e",
    "words": "3bd573857531af4abbca7cca6d9363ef999efc8c3255fffa7ca935c0e85d5bb1",
    "unicode": "19e0a165276011f1f18bd3df78b4e89daf0526c35182c1c3bbf1d5af7481e236",
    "long": "4ea801a08a66bdf22ebaeccadc087ff4ac772f7ed8f6196c97a83764b5d5fc7b",
}
LEAN = (
    "070000000000000006000000e141bd10af7eb208723b3a1c7e34d23f5e749b14d555ad18"
)
MINHASH_PICKLE = (
    "eNpNUV1rE0EU3XyYpNtGY1rTpq3WbxMfAq1VSiuI1IfqasCgsPi17G7Wbmyyzd2dFfJgtUKaFlRU1GBFISLaB6VGQU"
    "rBl3t/mM4kFZyHuefcO/fMuTOPgmZRZ7q3YDHTzlVKjq17tnyl5MyJCFJ2GQIPIJhRw5IkeZZVhJASVWOcOH5Fq1pu"
    "BcJKpJMQnXd9x4Rd/0v+y8qerY9rgp2akCGiyjsd9/Wyb3kQNbletZbTzEXXylX8MivprqvXZM21zEXHY65vMhli3W"
    "OyU+xWoUeR6iCbvK1omZ5sOQLI0KsGuL4BfWqEx7LOSs44xFdgdwH2NCBRgL0ZJaBE6pDcESyyWpX39atBft6fgoG1"
    "1QbsK0Aqo4Q6WmdhMJ/PX/rDV2dTJAZDxprdq07xKrXO4+8EBxJuLuEP8RySOzM9KuLSJL08J8Adhu8GBKDX1/HbkE"
    "CQtrmr4QKMMBg11D6eEm/qM+6YTw377ZjdGfGAzX2PFeCg8B1UIitwyE6t8tufCL06fZqYxk36jqv99CuLG1fT9Bg3"
    "ovSKnpdpexbfzCTmz2CLYTN0Oo3b9JXe5m9h/fbwoIxPZ/EZvaf1nhv0YjI151yUTtL2zQWH2pDENfyZDNP6PdwK02"
    "dsjmADv1ymrTFsU71EHy6E6WMcG9TC9rWH1KTlOBwWEx0pwFEGxwy1h9vT5qu+VuH/AsfVKOfFkqcbZQtOdD5H00Ud"
    "MvkuMzosm/eN3F+Pe+j4"
)
LEAN_PICKLE = (
    "eNprYEpOSSxJLM5OLUnO0MtJTcyLz83My0gszuDyAXJ8M/M8QOxCBs3GQsbk+Pik0sycksy8+HiupMqS1MSiosRKrk"
    "Km5Pjk/JTU5GKu1DwQg6uQOUKHgYGBnQEC2ID48ELHQ3sFDq2vO7SJo8jaSqbO5PAk+7iSQ7NFDk8NPbRWopAlAqQs"
    "JxFoumEha1shW1Ahe2shR1AhZ5IeAG7WNtw="
)
LSH_PICKLE = (
    "eNqFkstPE1EYxYfysIyoIAWLgvhAHHwUUfABKqKg1aGIt2JmUyfT6W3vpJMpZ+5tCCYlumgTtiauXPkHGBP3xqT9x7"
    "x3KAoLw8xizn2c33e+yfcx5hYc4fAyFS5L+ZzpGS9IO5ytZtM6tKlP6KghZlh9mqbZ+WqxSEObex8oOjPrLatD7jJ0"
    "mT2RyqPb7IxUiB4zZvVKtRnSTc8t+xTHdq1BBQkpql5I7fy2oNwu022O+K4VVyRZtlgNXPSuWTF1NQ3dtWVVzxdeYN"
    "t6iQpHiFDHcdYR0fcgW84m+ho4QXDS0tsc4eR9ynEqh37jYIdcVEKnRPVlzxVZKrLtJQZkp6drGLS6FbYgT5Fw3Yrv"
    "U1d4lYDrBVp0qr5QJzqGDsXiVG4N13GGIGm4tlspUJfrNFBCx4iV0Pae/uavpdY3peLNnzvNHzhr9ciF70jMDM41ME"
    "owxoZzOB/9xC2MO3VcILjIRqxkm9H6vfce1LjEpPkywYQyX4nMFJPSfJXAqPI8U91N1XCNJdgQk0mvE9wwJHWgTR2d"
    "XwjVd7H1eXYHNxUuRTCtcLeYSjFDcPuoFHeUbZZgTtnuMlX/HsH9/foPapjfr79A8FDVH2zzEs2v4r0Syeb3jdYXPF"
    "KoxwSLCvUkSrBE8PSoBM+UbZlgRdmeRwleEKRlAvp3MEInKMnBeJnDK8PUzFgDphkzuxpYNeUcN5ChVpe8Gs3l2v8m"
    "Z9Xj/0bntWxuvYY3qrlDc+HLWzpIHVmCtwYbz2HDYGNsmi1SNpnDO4NNsDm2QmW+aj71B664IVc="
)
# Of thresholds, with 128 permutations: number and size of bands.
BANDS = {0.1: (64, 2), 0.3: (37, 3), 0.5: (25, 5), 0.7: (14, 9), 0.8: (9, 13), 0.9: (5, 25)}
