/** The guide, and at this address itself the reference. */
export const guideRoot = '/docs'
export const formerGuideRoot = '/guide'

/** Page of the guide that lists what was found. */
export const searchName = 'search'

/** Whether a path of the guide asks for a search, in whichever language. */
export const isGuideSearch = (path: string): boolean =>
  isOfGuide(path) && path.split('/').includes(searchName)

/** Whether the guide answers a path. */
export const isOfGuide = (path: string): boolean =>
  path === guideRoot ||
  path === formerGuideRoot ||
  path.startsWith(`${formerGuideRoot}/`) ||
  path.startsWith(`${guideRoot}/`)
