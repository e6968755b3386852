import { createContext } from 'react'

/** Paths of the console's pages, for links to pages that may not be there. */
export const KnownPaths = createContext<readonly string[]>([])
