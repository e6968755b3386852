import type { api } from './client'
import { queries } from './queries'

/** Notice settings of a person (topics by channel), as the server tells them. */
export type WaysRead = NonNullable<Awaited<ReturnType<(typeof api)['notice-ways']['get']>>['data']>

export const waysKey = ['notice-ways'] as const

/** Caches the notice settings that the server answered with. */
export const setWays = (ways: WaysRead): void => void queries.setQueryData(waysKey, ways)
/** Refetches the notice settings. */
export const readWaysAgain = (): Promise<void> => queries.invalidateQueries({ queryKey: waysKey })
