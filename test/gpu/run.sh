#!/bin/sh
# The suite on a real GPU, in every mode: eager and lazy loading, legacy and per-thread default stream.
# Without a GPU every test is skipped, and says so.
#   NODE     the node to use (22.18 or newer; an older one needs tsx in node_modules)
#   TIMEOUT  milliseconds that one file of tests may take
#   OUT      folder that the logs and the counts are copied to; they are made in build/ beside this file
# Needs the built package in generated/. Exit code 1 if anything failed.
set -u
cd "$(dirname "$0")/../.."
NODE="${NODE:-node}"
MADE="$PWD/test/gpu/build"
mkdir -p "$MADE"
PATH="$PATH:/usr/local/cuda/bin"

if [ ! -e node_modules/cuda-driver ]; then
  mkdir -p node_modules
  ln -s ../generated node_modules/cuda-driver
fi
STRIP=""
"$NODE" -e 'process.exit(process.features.typescript ? 0 : 1)' || STRIP="--import tsx"
if command -v "${NVCC:-nvcc}" >/dev/null; then
  test/gpu/kernels/build.sh || exit 1
fi

failed=0
rm -f "$MADE"/gpu-*
for loading in EAGER LAZY; do
  for stream in legacy per-thread; do
    mode="$(echo "$loading" | tr A-Z a-z)-$stream"
    perThread=0
    [ "$stream" = per-thread ] && perThread=1
    # shellcheck disable=SC2086
    CUDA_MODULE_LOADING=$loading CUDA_API_PER_THREAD_DEFAULT_STREAM=$perThread GPU_REPORT="$MADE/gpu-$mode.jsonl" \
      "$NODE" $STRIP --test --test-concurrency="${CONCURRENCY:-4}" --test-reporter=spec --test-timeout="${TIMEOUT:-150000}" \
      test/gpu/*.test.ts >"$MADE/gpu-$mode.log" 2>&1 || failed=1
    echo "$mode: $(grep -E '^ℹ (tests|pass|fail|cancelled|skipped|duration_ms) ' "$MADE/gpu-$mode.log" | sed 's/^ℹ //' | tr '\n' ' ')"
    [ -z "${OUT:-}" ] || { mkdir -p "$OUT" && cp "$MADE/gpu-$mode.log" "$OUT"; }
    sed -n '/^✖ failing tests:/,$p' "$MADE/gpu-$mode.log" | head -n "${LINES_OF_FAILURES:-150}"
  done
done
"$NODE" $STRIP test/gpu/summary.ts "$MADE" || failed=1
[ -z "${OUT:-}" ] || cp "$MADE/gpu-counts.json" "$OUT"
exit $failed
