/** Learns the whole corpus anew into headers/: for when a rule of reading has changed. */
import { writeFile } from "node:fs/promises";
import { saveHistory } from "../../generator/api/history.ts";
import { HISTORY, learnCorpus } from "./corpus-history.ts";

const history = await learnCorpus();
await writeFile(HISTORY, saveHistory(history));
console.log(`${HISTORY}: ${history.toolkits.length} toolkits`);
