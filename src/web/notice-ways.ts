import type { api } from './client'
import { queries } from './queries'

/** How somebody is told of what, as the server tells it. */
export type WaysRead = NonNullable<Awaited<ReturnType<(typeof api)['notice-ways']['get']>>['data']>

export const waysKey = ['notice-ways'] as const

/** What the server says of the ways from now on. */
export const setWays = (ways: WaysRead): void => void queries.setQueryData(waysKey, ways)
export const readWaysAgain = (): Promise<void> => queries.invalidateQueries({ queryKey: waysKey })
