#!/bin/sh
# Builds the kernels of the suite into build/: for the GPU of this machine, or for ARCH (two digits: 90 is Hopper).
#   NVCC   the compiler; else nvcc on the PATH, else that of /usr/local/cuda
set -eu
cd "$(dirname "$0")"
PATH="$PATH:/usr/local/cuda/bin"
NVCC="${NVCC:-nvcc}"
ARCH="${ARCH:-$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -n 1 | tr -d .)}"
ARCH="${ARCH:-90}"
# The oldest architecture that this compiler knows: PTX of it runs on everything since.
OLD="$("$NVCC" --list-gpu-arch | sed 's/compute_//' | sort -n | head -n 1)"
# One that this GPU is not.
OTHER="$("$NVCC" --list-gpu-code | sed -n 's/^sm_\([0-9]*\)$/\1/p' | sort -n | grep -v "^$(echo "$ARCH" | cut -c1)" | head -n 1)"
NEWEST="$("$NVCC" --list-gpu-arch | sed 's/compute_//' | sort -n | tail -n 1)"

mkdir -p build
build() { "$NVCC" -std=c++17 -lineinfo "$@"; }

build -arch="sm_$ARCH" -cubin -o build/kernels.cubin kernels.cu
build -arch="compute_$ARCH" -ptx -o build/kernels.ptx kernels.cu
build -arch="compute_$OLD" -ptx -o build/old.ptx kernels.cu
build -gencode="arch=compute_$ARCH,code=sm_$ARCH" -gencode="arch=compute_$OLD,code=compute_$OLD" -fatbin -o build/kernels.fatbin kernels.cu
build -arch="sm_$OTHER" -cubin -o build/other.cubin link_part.cu
build -arch="compute_$NEWEST" -ptx -o build/newest.ptx link_part.cu
build -arch="sm_$ARCH" -rdc=true -cubin -o build/link_main.cubin link_main.cu
build -arch="compute_$OLD" -rdc=true -ptx -o build/link_main.ptx link_main.cu
build -arch="compute_$OLD" -rdc=true -ptx -o build/link_part.ptx link_part.cu
build -gencode="arch=compute_$ARCH,code=sm_$ARCH" -rdc=true -fatbin -o build/link_part.fatbin link_part.cu
build -arch="sm_$ARCH" -rdc=true -dc -o build/conditional.o conditional.cu
build -arch="sm_$ARCH" -dlink -cubin -o build/conditional.cubin build/conditional.o -lcudadevrt
rm -f build/conditional.o
echo "kernels for sm_$ARCH, PTX for compute_$ARCH, compute_$OLD and compute_$NEWEST, another cubin for sm_$OTHER"
