import { QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './client'

const staleMs = 15_000
const maxRetries = 2

/** Cache of the server's answers for all pages. A session that is over shows the sign-in page. */
export const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error) {
      if (error instanceof ApiError && error.code === 'signed_out')
        for (const who of ['me', 'operator-me']) leave([who])
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: staleMs,
      retry: (count, error) =>
        count < maxRetries && !(error instanceof ApiError && error.status < 500),
    },
  },
})

/** Takes who is signed in from the server; nothing stays of whoever was here before. */
export function enter(key: readonly [string], who: object): void {
  queries.removeQueries({ type: 'inactive', predicate: ({ queryKey }) => queryKey[0] !== key[0] })
  queries.setQueryData(key, who)
}

/**
 * Shows the sign-in page. What was read stays until somebody enters: pages that are still there when it
 * goes would ask for it again.
 */
export const leave = (key: readonly [string]): void => void queries.setQueryData(key, null)
