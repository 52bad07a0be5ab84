/** Chooses and asks for the default stream in a process of its own; one outcome a step. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { chooseStreamMode, type StreamMode, streamMode } from "cuda-driver";
import { answer, type Outcome, outcome, question } from "../child.ts";

const steps = await question<string[]>();
const outcomes: Outcome<string>[] = [];
for (const step of steps) {
  if (step === "ask") outcomes.push(outcome(streamMode));
  else if (step === "ask in a worker") {
    const code = `import("cuda-driver").then(({ streamMode }) => require("node:worker_threads").parentPort.postMessage(streamMode()))`;
    const [value] = await once(new Worker(code, { eval: true }), "message");
    outcomes.push({ value });
  } else {
    outcomes.push(
      outcome(() => {
        chooseStreamMode(step as StreamMode);
        return "chosen";
      }),
    );
  }
}
answer(outcomes);
