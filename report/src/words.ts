// What a number is called, by the kind of the target.
import type { Payload } from "./payload.ts";

export interface Words {
  loss: string; // in a plot or a tip
  lossInFull: string;
  explained: string;
  lambdaUnit: string;
}

const SQUARES: Words = {
  loss: "RSS",
  lossInFull: "residual sum of squares (RSS)",
  explained: "R²",
  lambdaUnit: "1/2 RSS",
};

const CLASSES: Words = {
  loss: "deviance",
  lossInFull: "deviance",
  explained: "deviance explained",
  lambdaUnit: "log-likelihood",
};

export const wordsOf = (data: Payload): Words => (data.classes ? CLASSES : SQUARES);
