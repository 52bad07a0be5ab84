/** A release of a toolkit as one of NVIDIA's Python wheels carries it. */
export interface Wheel {
  /** Name and version as pip takes them: `nvidia-cuda-runtime-cu12`, `12.4.127`. The version is the release. */
  name: string;
  version: string;
  file: string;
  /** Of the file, hex. */
  sha256: string;
}

/** Known wheels by library, oldest first. `npx tsx scripts/lock-wheels.ts` adds what is new and changes nothing else. */
export const lockedWheels: Readonly<Record<string, readonly Wheel[]>> = {
  driver: [
    {
      name: "nvidia-cuda-runtime-cu11",
      version: "11.7.99",
      file: "nvidia_cuda_runtime_cu11-11.7.99-py3-none-manylinux1_x86_64.whl",
      sha256: "cc768314ae58d2641f07eac350f40f99dcb35719c4faff4bc458a7cd2b119e31",
    },
    {
      name: "nvidia-cuda-runtime-cu11",
      version: "11.8.89",
      file: "nvidia_cuda_runtime_cu11-11.8.89-py3-none-manylinux1_x86_64.whl",
      sha256: "f587bd726eb2f7612cf77ce38a2c1e65cf23251ff49437f6161ce0d647f64f7c",
    },
    {
      name: "nvidia-cuda-runtime-cu12",
      version: "12.0.107",
      file: "nvidia_cuda_runtime_cu12-12.0.107-py3-none-manylinux1_x86_64.whl",
      sha256: "9ab985dd92728e1c577bb75ae83dcc42357ce7c00016c782e8b196f6fea05b91",
    },
    {
      name: "nvidia-cuda-runtime-cu12",
      version: "12.0.146",
      file: "nvidia_cuda_runtime_cu12-12.0.146-py3-none-manylinux1_x86_64.whl",
      sha256: "18c038592af387684812fa712642aa9a26c12da80acb488b6709f7cced147f71",
    },
    {
      name: "nvidia-cuda-runtime-cu12",
      version: "12.1.55",
      file: "nvidia_cuda_runtime_cu12-12.1.55-py3-none-manylinux1_x86_64.whl",
      sha256: "a485693383c7a28ba022587c5a640353ef61a21eb2e87382d0a76340bda92e2e",
    },
    {
      name: "nvidia-cuda-runtime-cu12",
      version: "12.1.105",
      file: "nvidia_cuda_runtime_cu12-12.1.105-py3-none-manylinux1_x86_64.whl",
      sha256: "6e258468ddf5796e25f1dc591a31029fa317d97a0a94ed93468fc86301d61e40",
    },
    {
      name: "nvidia-cuda-runtime-cu12",
      version: "12.2.53",
      file: "nvidia_cuda_runtime_cu12-12.2.53-py3-none-manylinux1_x86_64.whl",
      sha256: "7235bee83dfc0202172e35e262c604784e3f417e234779c6e4fae7ca75d65456",
    },
    {
      name: "nvidia-cuda-runtime-cu12",
      version: "12.2.128",
      file: "nvidia_cuda_runtime_cu12-12.2.128-py3-none-manylinux1_x86_64.whl",
      sha256: "c31343e87cb6dccb00358ef6fbd13b98723a769b7b84751ce30e24b15600c7b2",
    },
    {
      name: "nvidia-cuda-runtime-cu12",
      version: "12.2.140",
      file: "nvidia_cuda_runtime_cu12-12.2.140-py3-none-manylinux1_x86_64.whl",
      sha256: "acb9cb7e44594a3512533497ea790d9f0b0e399abcc888584c157d1ffa080e41",
    },
    {
      name: "nvidia-cuda-runtime-cu12",
      version: "12.3.52",
      file: "nvidia_cuda_runtime_cu12-12.3.52-py3-none-manylinux1_x86_64.whl",
      sha256: "038de2d9e9aa0f07fcd4b9615a7ea23ef28bca0073b0f212e4201246b386bfec",
    },
    {
      name: "nvidia-cuda-runtime-cu12",
      version: "12.3.101",
      file: "nvidia_cuda_runtime_cu12-12.3.101-py3-none-manylinux1_x86_64.whl",
      sha256: "04604679ddca6acb96c76a7a9306282cddc16981f92e148e2dfe227078883cda",
    },
    {
      name: "nvidia-cuda-runtime-cu12",
      version: "12.4.99",
      file: "nvidia_cuda_runtime_cu12-12.4.99-py3-none-manylinux2014_x86_64.whl",
      sha256: "1454a7c101976d3a9ade86040d01c4e57e8f6396c35b13f7a42c787dab145bed",
    },
    {
      name: "nvidia-cuda-runtime-cu12",
      version: "12.4.127",
      file: "nvidia_cuda_runtime_cu12-12.4.127-py3-none-manylinux2014_x86_64.whl",
      sha256: "64403288fa2136ee8e467cdc9c9427e0434110899d07c779f25b5c068934faa5",
    },
    {
      name: "nvidia-cuda-runtime-cu12",
      version: "12.5.39",
      file: "nvidia_cuda_runtime_cu12-12.5.39-py3-none-manylinux2014_x86_64.whl",
      sha256: "6b27a0b8ddfe399f9b228c676a2a68bb2a077ea962ec7de92d13d01a7d9d8bc8",
    },
    {
      name: "nvidia-cuda-runtime-cu12",
      version: "12.5.82",
      file: "nvidia_cuda_runtime_cu12-12.5.82-py3-none-manylinux2014_x86_64.whl",
      sha256: "3e79a060e126df40fd3a068f3f787eb000fa51b251ec6cd97d09579632687115",
    },
    {
      name: "nvidia-cuda-runtime-cu12",
      version: "12.6.37",
      file: "nvidia_cuda_runtime_cu12-12.6.37-py3-none-manylinux2014_x86_64.whl",
      sha256: "e98261a2c152248c801a7c967df70f5558fab42f8cb7a92559d72ffcdbbea386",
    },
    {
      name: "nvidia-cuda-runtime-cu12",
      version: "12.6.68",
      file: "nvidia_cuda_runtime_cu12-12.6.68-py3-none-manylinux2014_x86_64.whl",
      sha256: "846987485889786d257f6d7bdcf7544a36452936514e20dd710527b896c0fe12",
    },
    {
      name: "nvidia-cuda-runtime-cu12",
      version: "12.6.77",
      file: "nvidia_cuda_runtime_cu12-12.6.77-py3-none-manylinux2014_x86_64.whl",
      sha256: "a84d15d5e1da416dd4774cb42edf5e954a3e60cc945698dc1d5be02321c44dc8",
    },
    {
      name: "nvidia-cuda-runtime-cu12",
      version: "12.8.57",
      file: "nvidia_cuda_runtime_cu12-12.8.57-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
      sha256: "75342e28567340b7428ce79a5d6bb6ca5ff9d07b69e7ce00d2c7b4dc23eff0be",
    },
    {
      name: "nvidia-cuda-runtime-cu12",
      version: "12.8.90",
      file: "nvidia_cuda_runtime_cu12-12.8.90-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
      sha256: "adade8dcbd0edf427b7204d480d6066d33902cab2a4707dcfc48a2d0fd44ab90",
    },
    {
      name: "nvidia-cuda-runtime-cu12",
      version: "12.9.37",
      file: "nvidia_cuda_runtime_cu12-12.9.37-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
      sha256: "60a3ee8b71b2bf8af594e67d2e8e3b0228713cd99be77209a662f1f35c08f105",
    },
    {
      name: "nvidia-cuda-runtime-cu12",
      version: "12.9.79",
      file: "nvidia_cuda_runtime_cu12-12.9.79-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
      sha256: "25bba2dfb01d48a9b59ca474a1ac43c6ebf7011f1b0b8cc44f54eb6ac48a96c3",
    },
    {
      name: "nvidia-cuda-runtime",
      version: "13.0.48",
      file: "nvidia_cuda_runtime-13.0.48-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
      sha256: "5b54d12087a1abff81a4cbfa6556876e3afea1fc60da2e0816da374619810c89",
    },
    {
      name: "nvidia-cuda-runtime",
      version: "13.0.88",
      file: "nvidia_cuda_runtime-13.0.88-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
      sha256: "422a38f7c739ecbdd3a4b6ec7ed0a1d74db43d8e9bc26685f3d845638922b178",
    },
    {
      name: "nvidia-cuda-runtime",
      version: "13.0.96",
      file: "nvidia_cuda_runtime-13.0.96-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
      sha256: "7f82250d7782aa23b6cfe765ecc7db554bd3c2870c43f3d1821f1d18aebf0548",
    },
    {
      name: "nvidia-cuda-runtime",
      version: "13.1.80",
      file: "nvidia_cuda_runtime-13.1.80-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
      sha256: "dac25b52e69050e5a7a84957e6df470a85b185f8f648a99a1ab1dfce027576cf",
    },
    {
      name: "nvidia-cuda-runtime",
      version: "13.2.51",
      file: "nvidia_cuda_runtime-13.2.51-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
      sha256: "9c43b06a52c5b9316e19abc047236932c4d5c729969918a83223c4d2a4132f9a",
    },
    {
      name: "nvidia-cuda-runtime",
      version: "13.2.75",
      file: "nvidia_cuda_runtime-13.2.75-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
      sha256: "72bf454902da594e0b833cadeddc8b7100ce1c7cf7ed9023943931be1aa913b7",
    },
    {
      name: "nvidia-cuda-runtime",
      version: "13.2.86",
      file: "nvidia_cuda_runtime-13.2.86-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
      sha256: "3498247680dfddce31bad102af7e3e26fc795342a3cac64722bb0fa95e7f60f0",
    },
    {
      name: "nvidia-cuda-runtime",
      version: "13.3.29",
      file: "nvidia_cuda_runtime-13.3.29-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
      sha256: "e04420616e72f563167a7733272992d7e6df6dc5cb54b2f94f9f1520ea9e30c1",
    },
    {
      name: "nvidia-cuda-runtime",
      version: "13.4.49",
      file: "nvidia_cuda_runtime-13.4.49-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
      sha256: "0b228cc646acda27e9b512b8b94417c3ff8b3d24a0ad9b1d6603dc6c2a908046",
    },
    {
      name: "nvidia-cuda-runtime",
      version: "13.4.92",
      file: "nvidia_cuda_runtime-13.4.92-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
      sha256: "9641f797da20ce1dd8e779b6e96d08cf9ba564cec8e8225458811ee26423f3a5",
    },
    {
      name: "nvidia-cuda-runtime",
      version: "13.5.37",
      file: "nvidia_cuda_runtime-13.5.37-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
      sha256: "df2b79a8852f10d1fef8c848489c49eebb5754051bf870202a862831412b179d",
    },
  ],
};
