/** Proposals decided in one transaction, for which a serving gateway has to wait. */
const proposalsAtOnce = 75

/** Parts of a long list, each with all that concerns a model. */
export function slicesByModel<Each extends { readonly model: string }>(
  all: readonly Each[],
): readonly (readonly Each[])[] {
  const slices: Each[][] = []
  for (const ofModel of Map.groupBy(all, ({ model }) => model).values()) {
    const last = slices.at(-1)
    if (last === undefined || last.length + ofModel.length > proposalsAtOnce)
      slices.push([...ofModel])
    else last.push(...ofModel)
  }
  return slices
}
