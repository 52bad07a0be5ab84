/** A release of a toolkit as NVIDIA's Python wheels carry it. The first wheel is the one that the release is called after. */
export interface WheelRelease {
  /** `12.4.127` */
  release: string;
  wheels: Wheel[];
}

export interface Wheel {
  /** Name and version as pip takes them: `nvidia-cuda-runtime-cu12`, `12.4.127`. */
  name: string;
  version: string;
  file: string;
  /** Of the file, hex. */
  sha256: string;
}

/** Known releases by library, oldest first. `npx tsx generator/toolkit/lock.ts` adds what is new and changes nothing else. */
export const lockedWheels: Readonly<Record<string, readonly WheelRelease[]>> = {
  driver: [
    {
      release: "11.7.99",
      wheels: [
        {
          name: "nvidia-cuda-runtime-cu11",
          version: "11.7.99",
          file: "nvidia_cuda_runtime_cu11-11.7.99-py3-none-manylinux1_x86_64.whl",
          sha256: "cc768314ae58d2641f07eac350f40f99dcb35719c4faff4bc458a7cd2b119e31",
        },
      ],
    },
    {
      release: "11.8.89",
      wheels: [
        {
          name: "nvidia-cuda-runtime-cu11",
          version: "11.8.89",
          file: "nvidia_cuda_runtime_cu11-11.8.89-py3-none-manylinux1_x86_64.whl",
          sha256: "f587bd726eb2f7612cf77ce38a2c1e65cf23251ff49437f6161ce0d647f64f7c",
        },
        {
          name: "nvidia-cuda-profiler-api-cu11",
          version: "11.8.86",
          file: "nvidia_cuda_profiler_api_cu11-11.8.86-py3-none-manylinux1_x86_64.whl",
          sha256: "674e470ff8a74d7230b4d63dcd8ddeacdac3bb3332c8063e8f76fc757949b154",
        },
      ],
    },
    {
      release: "12.0.107",
      wheels: [
        {
          name: "nvidia-cuda-runtime-cu12",
          version: "12.0.107",
          file: "nvidia_cuda_runtime_cu12-12.0.107-py3-none-manylinux1_x86_64.whl",
          sha256: "9ab985dd92728e1c577bb75ae83dcc42357ce7c00016c782e8b196f6fea05b91",
        },
        {
          name: "nvidia-cuda-profiler-api-cu12",
          version: "12.0.76",
          file: "nvidia_cuda_profiler_api_cu12-12.0.76-py3-none-manylinux1_x86_64.whl",
          sha256: "c263c0e58bce98fa27637d2b40ee730a7ecdadc12bac407a2abdde1fca8ff3c9",
        },
      ],
    },
    {
      release: "12.0.146",
      wheels: [
        {
          name: "nvidia-cuda-runtime-cu12",
          version: "12.0.146",
          file: "nvidia_cuda_runtime_cu12-12.0.146-py3-none-manylinux1_x86_64.whl",
          sha256: "18c038592af387684812fa712642aa9a26c12da80acb488b6709f7cced147f71",
        },
        {
          name: "nvidia-cuda-profiler-api-cu12",
          version: "12.0.140",
          file: "nvidia_cuda_profiler_api_cu12-12.0.140-py3-none-manylinux1_x86_64.whl",
          sha256: "4432f15600951541f955bb885bdb459a63bf5d77dbf17620b9f4447c504842f4",
        },
      ],
    },
    {
      release: "12.1.55",
      wheels: [
        {
          name: "nvidia-cuda-runtime-cu12",
          version: "12.1.55",
          file: "nvidia_cuda_runtime_cu12-12.1.55-py3-none-manylinux1_x86_64.whl",
          sha256: "a485693383c7a28ba022587c5a640353ef61a21eb2e87382d0a76340bda92e2e",
        },
        {
          name: "nvidia-cuda-profiler-api-cu12",
          version: "12.1.55",
          file: "nvidia_cuda_profiler_api_cu12-12.1.55-py3-none-manylinux1_x86_64.whl",
          sha256: "a788a8d99cb03b8c1c44356a91a517b9029a0e4e17af79934a205220fbbe5177",
        },
      ],
    },
    {
      release: "12.1.105",
      wheels: [
        {
          name: "nvidia-cuda-runtime-cu12",
          version: "12.1.105",
          file: "nvidia_cuda_runtime_cu12-12.1.105-py3-none-manylinux1_x86_64.whl",
          sha256: "6e258468ddf5796e25f1dc591a31029fa317d97a0a94ed93468fc86301d61e40",
        },
        {
          name: "nvidia-cuda-profiler-api-cu12",
          version: "12.1.105",
          file: "nvidia_cuda_profiler_api_cu12-12.1.105-py3-none-manylinux1_x86_64.whl",
          sha256: "04fb5b76c5179a7bafe0a278562a69b6b782efc6881714c9761b2884ac0279c7",
        },
      ],
    },
    {
      release: "12.2.53",
      wheels: [
        {
          name: "nvidia-cuda-runtime-cu12",
          version: "12.2.53",
          file: "nvidia_cuda_runtime_cu12-12.2.53-py3-none-manylinux1_x86_64.whl",
          sha256: "7235bee83dfc0202172e35e262c604784e3f417e234779c6e4fae7ca75d65456",
        },
        {
          name: "nvidia-cuda-profiler-api-cu12",
          version: "12.2.53",
          file: "nvidia_cuda_profiler_api_cu12-12.2.53-py3-none-manylinux1_x86_64.whl",
          sha256: "9b3b1883eabf1d00c7e1778568a3c7b88bc51fd5dac0d1aae1c284301f50982d",
        },
      ],
    },
    {
      release: "12.2.128",
      wheels: [
        {
          name: "nvidia-cuda-runtime-cu12",
          version: "12.2.128",
          file: "nvidia_cuda_runtime_cu12-12.2.128-py3-none-manylinux1_x86_64.whl",
          sha256: "c31343e87cb6dccb00358ef6fbd13b98723a769b7b84751ce30e24b15600c7b2",
        },
        {
          name: "nvidia-cuda-profiler-api-cu12",
          version: "12.2.128",
          file: "nvidia_cuda_profiler_api_cu12-12.2.128-py3-none-manylinux1_x86_64.whl",
          sha256: "bfd2dad70601080c76d774bd49b90adab69061f57c23d055a893678f57f67a8f",
        },
      ],
    },
    {
      release: "12.2.140",
      wheels: [
        {
          name: "nvidia-cuda-runtime-cu12",
          version: "12.2.140",
          file: "nvidia_cuda_runtime_cu12-12.2.140-py3-none-manylinux1_x86_64.whl",
          sha256: "acb9cb7e44594a3512533497ea790d9f0b0e399abcc888584c157d1ffa080e41",
        },
        {
          name: "nvidia-cuda-profiler-api-cu12",
          version: "12.2.140",
          file: "nvidia_cuda_profiler_api_cu12-12.2.140-py3-none-manylinux1_x86_64.whl",
          sha256: "6b52af96a8f66ef0674fdc6083c5b151759ba46a5be8ad2be1939711e571d261",
        },
      ],
    },
    {
      release: "12.3.52",
      wheels: [
        {
          name: "nvidia-cuda-runtime-cu12",
          version: "12.3.52",
          file: "nvidia_cuda_runtime_cu12-12.3.52-py3-none-manylinux1_x86_64.whl",
          sha256: "038de2d9e9aa0f07fcd4b9615a7ea23ef28bca0073b0f212e4201246b386bfec",
        },
        {
          name: "nvidia-cuda-profiler-api-cu12",
          version: "12.3.52",
          file: "nvidia_cuda_profiler_api_cu12-12.3.52-py3-none-manylinux1_x86_64.whl",
          sha256: "3e2792e067d6cffd226b8d4c4d68b019af14b5543e365eafbf3f23373b0bb1f3",
        },
      ],
    },
    {
      release: "12.3.101",
      wheels: [
        {
          name: "nvidia-cuda-runtime-cu12",
          version: "12.3.101",
          file: "nvidia_cuda_runtime_cu12-12.3.101-py3-none-manylinux1_x86_64.whl",
          sha256: "04604679ddca6acb96c76a7a9306282cddc16981f92e148e2dfe227078883cda",
        },
        {
          name: "nvidia-cuda-profiler-api-cu12",
          version: "12.3.101",
          file: "nvidia_cuda_profiler_api_cu12-12.3.101-py3-none-manylinux1_x86_64.whl",
          sha256: "c75cf4915ebf7ccaac9a21183ef8e8b0409cc3f02e0830f31508330e95d1d9d6",
        },
      ],
    },
    {
      release: "12.4.99",
      wheels: [
        {
          name: "nvidia-cuda-runtime-cu12",
          version: "12.4.99",
          file: "nvidia_cuda_runtime_cu12-12.4.99-py3-none-manylinux2014_x86_64.whl",
          sha256: "1454a7c101976d3a9ade86040d01c4e57e8f6396c35b13f7a42c787dab145bed",
        },
        {
          name: "nvidia-cuda-profiler-api-cu12",
          version: "12.4.99",
          file: "nvidia_cuda_profiler_api_cu12-12.4.99-py3-none-manylinux2014_x86_64.whl",
          sha256: "cc0ab878a18d0da243db4d11257cabf8594c9455e15f448e4687d81a6b91b9bd",
        },
      ],
    },
    {
      release: "12.4.127",
      wheels: [
        {
          name: "nvidia-cuda-runtime-cu12",
          version: "12.4.127",
          file: "nvidia_cuda_runtime_cu12-12.4.127-py3-none-manylinux2014_x86_64.whl",
          sha256: "64403288fa2136ee8e467cdc9c9427e0434110899d07c779f25b5c068934faa5",
        },
        {
          name: "nvidia-cuda-profiler-api-cu12",
          version: "12.4.127",
          file: "nvidia_cuda_profiler_api_cu12-12.4.127-py3-none-manylinux2014_x86_64.whl",
          sha256: "7d80d1d8cfedc4b31b3df260f75e339a51322b25ff41f2a47edb5b2139b8a58f",
        },
      ],
    },
    {
      release: "12.5.39",
      wheels: [
        {
          name: "nvidia-cuda-runtime-cu12",
          version: "12.5.39",
          file: "nvidia_cuda_runtime_cu12-12.5.39-py3-none-manylinux2014_x86_64.whl",
          sha256: "6b27a0b8ddfe399f9b228c676a2a68bb2a077ea962ec7de92d13d01a7d9d8bc8",
        },
        {
          name: "nvidia-cuda-profiler-api-cu12",
          version: "12.5.39",
          file: "nvidia_cuda_profiler_api_cu12-12.5.39-py3-none-manylinux2014_x86_64.whl",
          sha256: "26065e92d41a6faaeade76e765a39f75224b3d4b5a5304c6cac4b717d9c29666",
        },
      ],
    },
    {
      release: "12.5.82",
      wheels: [
        {
          name: "nvidia-cuda-runtime-cu12",
          version: "12.5.82",
          file: "nvidia_cuda_runtime_cu12-12.5.82-py3-none-manylinux2014_x86_64.whl",
          sha256: "3e79a060e126df40fd3a068f3f787eb000fa51b251ec6cd97d09579632687115",
        },
        {
          name: "nvidia-cuda-profiler-api-cu12",
          version: "12.5.39",
          file: "nvidia_cuda_profiler_api_cu12-12.5.39-py3-none-manylinux2014_x86_64.whl",
          sha256: "26065e92d41a6faaeade76e765a39f75224b3d4b5a5304c6cac4b717d9c29666",
        },
      ],
    },
    {
      release: "12.6.37",
      wheels: [
        {
          name: "nvidia-cuda-runtime-cu12",
          version: "12.6.37",
          file: "nvidia_cuda_runtime_cu12-12.6.37-py3-none-manylinux2014_x86_64.whl",
          sha256: "e98261a2c152248c801a7c967df70f5558fab42f8cb7a92559d72ffcdbbea386",
        },
        {
          name: "nvidia-cuda-profiler-api-cu12",
          version: "12.6.37",
          file: "nvidia_cuda_profiler_api_cu12-12.6.37-py3-none-manylinux2014_x86_64.whl",
          sha256: "3c068a7e4991712b81039656d39811e0bf928cec07e3b2d68cec3053231cdaf6",
        },
      ],
    },
    {
      release: "12.6.68",
      wheels: [
        {
          name: "nvidia-cuda-runtime-cu12",
          version: "12.6.68",
          file: "nvidia_cuda_runtime_cu12-12.6.68-py3-none-manylinux2014_x86_64.whl",
          sha256: "846987485889786d257f6d7bdcf7544a36452936514e20dd710527b896c0fe12",
        },
        {
          name: "nvidia-cuda-profiler-api-cu12",
          version: "12.6.68",
          file: "nvidia_cuda_profiler_api_cu12-12.6.68-py3-none-manylinux2014_x86_64.whl",
          sha256: "d7e984b920e3638a33c447fcf84e7aaaaac5161424143d88706e2804b0715947",
        },
      ],
    },
    {
      release: "12.6.77",
      wheels: [
        {
          name: "nvidia-cuda-runtime-cu12",
          version: "12.6.77",
          file: "nvidia_cuda_runtime_cu12-12.6.77-py3-none-manylinux2014_x86_64.whl",
          sha256: "a84d15d5e1da416dd4774cb42edf5e954a3e60cc945698dc1d5be02321c44dc8",
        },
        {
          name: "nvidia-cuda-profiler-api-cu12",
          version: "12.6.77",
          file: "nvidia_cuda_profiler_api_cu12-12.6.77-py3-none-manylinux2014_x86_64.whl",
          sha256: "2f537a3fa4cd984c5fd7d5898b22cec35f5c61d5b1057895ebf7f4ab3c88ded9",
        },
      ],
    },
    {
      release: "12.8.57",
      wheels: [
        {
          name: "nvidia-cuda-runtime-cu12",
          version: "12.8.57",
          file: "nvidia_cuda_runtime_cu12-12.8.57-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
          sha256: "75342e28567340b7428ce79a5d6bb6ca5ff9d07b69e7ce00d2c7b4dc23eff0be",
        },
        {
          name: "nvidia-cuda-profiler-api-cu12",
          version: "12.8.55",
          file: "nvidia_cuda_profiler_api_cu12-12.8.55-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
          sha256: "e806cd8048c472671bb6fb8fc72321d3e000fbe67b8564d18b620b515040b987",
        },
      ],
    },
    {
      release: "12.8.90",
      wheels: [
        {
          name: "nvidia-cuda-runtime-cu12",
          version: "12.8.90",
          file: "nvidia_cuda_runtime_cu12-12.8.90-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
          sha256: "adade8dcbd0edf427b7204d480d6066d33902cab2a4707dcfc48a2d0fd44ab90",
        },
        {
          name: "nvidia-cuda-profiler-api-cu12",
          version: "12.8.90",
          file: "nvidia_cuda_profiler_api_cu12-12.8.90-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
          sha256: "ec1f3f50fdda1e3e3744fc1786df3efd1d75a0a46e70629be8816b3a1eda083d",
        },
      ],
    },
    {
      release: "12.9.37",
      wheels: [
        {
          name: "nvidia-cuda-runtime-cu12",
          version: "12.9.37",
          file: "nvidia_cuda_runtime_cu12-12.9.37-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
          sha256: "60a3ee8b71b2bf8af594e67d2e8e3b0228713cd99be77209a662f1f35c08f105",
        },
        {
          name: "nvidia-cuda-profiler-api-cu12",
          version: "12.9.19",
          file: "nvidia_cuda_profiler_api_cu12-12.9.19-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
          sha256: "b8705e22e25ff72dd0a54cf7aa395779d4dcb28a4a5ff8473f80619c1523f8e5",
        },
      ],
    },
    {
      release: "12.9.79",
      wheels: [
        {
          name: "nvidia-cuda-runtime-cu12",
          version: "12.9.79",
          file: "nvidia_cuda_runtime_cu12-12.9.79-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
          sha256: "25bba2dfb01d48a9b59ca474a1ac43c6ebf7011f1b0b8cc44f54eb6ac48a96c3",
        },
        {
          name: "nvidia-cuda-profiler-api-cu12",
          version: "12.9.79",
          file: "nvidia_cuda_profiler_api_cu12-12.9.79-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
          sha256: "b3d5877b016450beb4d8935299bb86368f234d8789b64e844043b9a65ce31b39",
        },
      ],
    },
    {
      release: "13.0.48",
      wheels: [
        {
          name: "nvidia-cuda-runtime",
          version: "13.0.48",
          file: "nvidia_cuda_runtime-13.0.48-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
          sha256: "5b54d12087a1abff81a4cbfa6556876e3afea1fc60da2e0816da374619810c89",
        },
        {
          name: "nvidia-cuda-profiler-api",
          version: "13.0.39",
          file: "nvidia_cuda_profiler_api-13.0.39-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
          sha256: "0df5cec4978aa78029c3be434201516d0f683762887c0def9401e59a196c5ea1",
        },
      ],
    },
    {
      release: "13.0.88",
      wheels: [
        {
          name: "nvidia-cuda-runtime",
          version: "13.0.88",
          file: "nvidia_cuda_runtime-13.0.88-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
          sha256: "422a38f7c739ecbdd3a4b6ec7ed0a1d74db43d8e9bc26685f3d845638922b178",
        },
        {
          name: "nvidia-cuda-profiler-api",
          version: "13.0.85",
          file: "nvidia_cuda_profiler_api-13.0.85-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
          sha256: "73d2671deac833db6686d6fbde4753fa3a3a497d87540fc246f081f375243f66",
        },
      ],
    },
    {
      release: "13.0.96",
      wheels: [
        {
          name: "nvidia-cuda-runtime",
          version: "13.0.96",
          file: "nvidia_cuda_runtime-13.0.96-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
          sha256: "7f82250d7782aa23b6cfe765ecc7db554bd3c2870c43f3d1821f1d18aebf0548",
        },
        {
          name: "nvidia-cuda-profiler-api",
          version: "13.0.85",
          file: "nvidia_cuda_profiler_api-13.0.85-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
          sha256: "73d2671deac833db6686d6fbde4753fa3a3a497d87540fc246f081f375243f66",
        },
      ],
    },
    {
      release: "13.1.80",
      wheels: [
        {
          name: "nvidia-cuda-runtime",
          version: "13.1.80",
          file: "nvidia_cuda_runtime-13.1.80-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
          sha256: "dac25b52e69050e5a7a84957e6df470a85b185f8f648a99a1ab1dfce027576cf",
        },
        {
          name: "nvidia-cuda-profiler-api",
          version: "13.1.80",
          file: "nvidia_cuda_profiler_api-13.1.80-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
          sha256: "2250185871daa2963d520415a4732572e6fedcabfb40e51e46bce8346428ca05",
        },
      ],
    },
    {
      release: "13.2.51",
      wheels: [
        {
          name: "nvidia-cuda-runtime",
          version: "13.2.51",
          file: "nvidia_cuda_runtime-13.2.51-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
          sha256: "9c43b06a52c5b9316e19abc047236932c4d5c729969918a83223c4d2a4132f9a",
        },
        {
          name: "nvidia-cuda-profiler-api",
          version: "13.2.20",
          file: "nvidia_cuda_profiler_api-13.2.20-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
          sha256: "f391697350e155e79c13392ac02d719d0b2a2c859129142be422be1852cf66a9",
        },
      ],
    },
    {
      release: "13.2.75",
      wheels: [
        {
          name: "nvidia-cuda-runtime",
          version: "13.2.75",
          file: "nvidia_cuda_runtime-13.2.75-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
          sha256: "72bf454902da594e0b833cadeddc8b7100ce1c7cf7ed9023943931be1aa913b7",
        },
        {
          name: "nvidia-cuda-profiler-api",
          version: "13.2.75",
          file: "nvidia_cuda_profiler_api-13.2.75-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
          sha256: "994a8384aa67b4eb8b9491acc6cb7931711f714734004d7f215a300375b3217e",
        },
      ],
    },
    {
      release: "13.2.86",
      wheels: [
        {
          name: "nvidia-cuda-runtime",
          version: "13.2.86",
          file: "nvidia_cuda_runtime-13.2.86-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
          sha256: "3498247680dfddce31bad102af7e3e26fc795342a3cac64722bb0fa95e7f60f0",
        },
        {
          name: "nvidia-cuda-profiler-api",
          version: "13.2.86",
          file: "nvidia_cuda_profiler_api-13.2.86-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
          sha256: "8a99fd469c743e47997062f9c8d3cea691769abee07f83f5e57fbcaf03439317",
        },
      ],
    },
    {
      release: "13.3.29",
      wheels: [
        {
          name: "nvidia-cuda-runtime",
          version: "13.3.29",
          file: "nvidia_cuda_runtime-13.3.29-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
          sha256: "e04420616e72f563167a7733272992d7e6df6dc5cb54b2f94f9f1520ea9e30c1",
        },
        {
          name: "nvidia-cuda-profiler-api",
          version: "13.3.27",
          file: "nvidia_cuda_profiler_api-13.3.27-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
          sha256: "278a8aca78c72552905a2333b3dcf8497000be4993d2c415998088581c87467e",
        },
      ],
    },
    {
      release: "13.4.49",
      wheels: [
        {
          name: "nvidia-cuda-runtime",
          version: "13.4.49",
          file: "nvidia_cuda_runtime-13.4.49-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
          sha256: "0b228cc646acda27e9b512b8b94417c3ff8b3d24a0ad9b1d6603dc6c2a908046",
        },
        {
          name: "nvidia-cuda-profiler-api",
          version: "13.4.49",
          file: "nvidia_cuda_profiler_api-13.4.49-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
          sha256: "792a4c09cfda0e69930d7daa15d887bb3a05a2272a3a2d914defc1f3cf9649ae",
        },
      ],
    },
    {
      release: "13.4.92",
      wheels: [
        {
          name: "nvidia-cuda-runtime",
          version: "13.4.92",
          file: "nvidia_cuda_runtime-13.4.92-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
          sha256: "9641f797da20ce1dd8e779b6e96d08cf9ba564cec8e8225458811ee26423f3a5",
        },
        {
          name: "nvidia-cuda-profiler-api",
          version: "13.4.92",
          file: "nvidia_cuda_profiler_api-13.4.92-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
          sha256: "b6a29bfebcb18cd045e667a0cfc882258e4a78bb6b73b868a36f7f0d069e6c5c",
        },
      ],
    },
    {
      release: "13.5.37",
      wheels: [
        {
          name: "nvidia-cuda-runtime",
          version: "13.5.37",
          file: "nvidia_cuda_runtime-13.5.37-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
          sha256: "df2b79a8852f10d1fef8c848489c49eebb5754051bf870202a862831412b179d",
        },
        {
          name: "nvidia-cuda-profiler-api",
          version: "13.5.25",
          file: "nvidia_cuda_profiler_api-13.5.25-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
          sha256: "1b4c77ff668bdb7bc55331b0b3fb853d3cd13810b19a1b77648e71d11cd360f9",
        },
      ],
    },
  ],
};
