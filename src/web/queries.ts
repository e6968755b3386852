import { QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './client'

const staleMs = 15_000
const maxRetries = 2

/** Cache of the server's answers for all pages. A session that is over shows the sign-in page. */
export const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error) {
      if (error instanceof ApiError && error.code === 'signed_out')
        for (const who of ['me', 'operator-me']) queries.setQueryData([who], null)
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
