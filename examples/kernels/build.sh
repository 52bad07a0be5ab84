#!/bin/sh
# Compiles every kernel here into build/: NAME.cubin for the GPU of this machine (or for ARCH: 90 is Hopper), NAME.ptx for any
# GPU, NAME.fatbin with both. `build.sh commit` also copies the PTX beside its source, where the examples find it: they run
# without nvcc, and the driver compiles it for the GPU it has.
#   NVCC   the compiler; else nvcc on the PATH, else that of /usr/local/cuda
set -eu
cd "$(dirname "$0")"
PATH="$PATH:/usr/local/cuda/bin"
NVCC="${NVCC:-nvcc}"
ARCH="${ARCH:-$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -n 1 | tr -d .)}"
ARCH="${ARCH:-90}"
OLD=75 # Turing, the oldest that nvcc 13 knows
ISA=8.0 # the PTX that drivers of CUDA 12.0 read, which are the first to have libraries

mkdir -p build
for source in *.cu; do
  name="${source%.cu}"
  "$NVCC" -arch="sm_$ARCH" -cubin -o "build/$name.cubin" "$source"
  "$NVCC" -gencode="arch=compute_$ARCH,code=sm_$ARCH" -gencode="arch=compute_$OLD,code=compute_$OLD" \
    -fatbin -o "build/$name.fatbin" "$source"
  "$NVCC" -arch="compute_$OLD" -ptx -o "build/$name.full.ptx" "$source"
  # Without comments, and marked as the oldest PTX that will do; ptxas says whether it does.
  sed -e 's://.*$::' -e "s/^\.version .*/.version $ISA/" "build/$name.full.ptx" | sed -e 's/[[:space:]]*$//' | cat -s |
    sed -e '1{/^$/d}' >"build/$name.ptx"
  rm "build/$name.full.ptx"
  "$NVCC" -arch="sm_$OLD" -cubin -o build/check.cubin "build/$name.ptx"
  rm build/check.cubin
  [ "${1:-}" != commit ] || cp "build/$name.ptx" "$name.ptx"
done
echo "cubins and fatbins for sm_$ARCH, PTX $ISA for compute_$OLD and newer"
