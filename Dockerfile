# An image whose command is twinset (docs/packages.md): docker build -t twinset .
#   docker run --rm -v "$PWD:/data" twinset dedup crawl.warc.gz --out dups
FROM debian:bookworm AS build
COPY . /twinset
WORKDIR /twinset
RUN apt-get update && tools/install_dependencies build packages && make packages && rm build/packages/libtwinset-dev_*

FROM debian:bookworm-slim
COPY --from=build /twinset/build/packages/twinset_*.deb /tmp/
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates /tmp/twinset_*.deb \
    && rm -rf /tmp/twinset_*.deb /var/lib/apt/lists/*
WORKDIR /data
ENTRYPOINT ["twinset"]
