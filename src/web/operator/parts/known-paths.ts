import { createContext } from 'react'

/** Paths of the console's pages, for pages that lead to whichever is there. */
export const KnownPaths = createContext<readonly string[]>([])
