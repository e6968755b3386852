import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { api, ApiError, ask } from './client'
import { enter, leave, queries } from './queries'

/** Session of whoever is signed in, as the server tells it. */
export type Me = NonNullable<Awaited<ReturnType<typeof api.me.get>>['data']>

/** The server says into the page whether there is a session; without one it need not be asked. */
const maySession = document.querySelector<HTMLMetaElement>('meta[name=session]')?.content !== 'none'

async function readMe(): Promise<Me | null> {
  try {
    return await ask(api.me.get())
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.status === 401) return null
    throw thrown
  }
}

/** Asked at once, beside the texts and the page. */
let first: Promise<Me | null> | null = maySession ? readMe() : Promise.resolve(null)
// Whoever waits for it hears of a failure.
first.catch(() => {})

const firstOrNew = (): Promise<Me | null> => {
  const asking = first ?? readMe()
  first = null
  return asking
}

const meKey = ['me'] as const

/** Takes the session that the server answered with. */
export const setMe = (who: Me): void => enter(meKey, who)

/** Refetches the session: something of it has changed. */
export const readMeAgain = (): Promise<void> => queries.invalidateQueries({ queryKey: meKey })

/** Switches to another account: all that was read was of the other. */
export const changeAccount = (): Promise<void> => queries.resetQueries()

/** Shows that nobody is signed in any more. */
export const forgetMe = (): void => leave(meKey)

/** The session; null for nobody. */
export const useMe = (): UseQueryResult<Me | null> =>
  useQuery({ queryKey: meKey, queryFn: firstOrNew })
