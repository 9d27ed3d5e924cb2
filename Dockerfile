# spca-bench on systems other than Debian 12:
#
#   docker build -t spca-bench .
#   docker run --rm spca-bench reproduce quickstart
#   docker run --rm -v "$PWD:/work" -v /my/data:/data -e SPCA_DATA_DIR=/data spca-bench run quickstart
#
# Runs and the cache of finished cells are written to the folder that is mounted as /work.
FROM debian:12-slim AS build
COPY . /src
WORKDIR /src
RUN scripts/package

FROM debian:12-slim
COPY --from=build /src/build/release/spca-bench_*.deb /tmp/
RUN apt-get update -qq \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
       /tmp/spca-bench_*.deb python3-matplotlib python3-jinja2 ca-certificates \
    && rm -rf /var/lib/apt/lists/* /tmp/spca-bench_*.deb
WORKDIR /work
ENTRYPOINT ["spca"]
CMD ["--help"]
