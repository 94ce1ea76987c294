/** What a promise is rejected with. */
export async function rejection(promise: Promise<unknown>): Promise<Error> {
  const outcome = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ("error" in outcome && outcome.error instanceof Error) return outcome.error;
  throw new Error(`it was not rejected with an error, but came to ${JSON.stringify(outcome)}`);
}
