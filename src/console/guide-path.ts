/** The guide, and at this address itself the reference. */
export const guideRoot = '/docs'
export const formerGuideRoot = '/guide'

/** Whether the guide answers a path. */
export const isOfGuide = (path: string): boolean =>
  path === guideRoot ||
  path === formerGuideRoot ||
  path.startsWith(`${formerGuideRoot}/`) ||
  path.startsWith(`${guideRoot}/`)
