/** Makes a thing when it is first wanted: statements that few processes need are not compiled by all. */
export function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined
  return () => (made ??= make())
}
