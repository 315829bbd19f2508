/** Parameters and fields that the console sent to a call which does not take them. Each test ends without any. */
export const refusedNames: string[] = [];
