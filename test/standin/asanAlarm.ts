/** Started by `asan.ts`: writes over the end of a buffer, which AddressSanitizer must notice. */
import { openStandin } from "./control.ts";
import { openPackage } from "./package.ts";

const standin = await openStandin();
const { cuda } = await openPackage();
standin.size("cuMemcpyDtoH_v2", "dstHost", 64);
cuda.cuMemcpyDtoH_v2(new Uint8Array(8), 0x10n, 8);
