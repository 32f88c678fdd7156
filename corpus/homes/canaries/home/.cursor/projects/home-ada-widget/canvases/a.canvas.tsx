export const secret = "CANARY-canvas";
