import { useQuery } from '@tanstack/react-query'
import { api, ask } from './client'

/** Models on sale, as the server tells them. */
export type FoundModels = NonNullable<Awaited<ReturnType<typeof api.catalogue.get>>['data']>
/** Model in the list of those on sale. */
export type ModelRow = FoundModels['data'][number]
/** Model with all that its page shows. */
export type Model = NonNullable<Awaited<ReturnType<typeof api.catalogue.model.get>>['data']>
export type ShownPrice = Model['all_prices'][number]

const staleMs = 60_000

/** One model. @param id null for none */
export const useModel = (id: string | null) =>
  useQuery({
    queryKey: ['catalogue', 'model', id],
    queryFn: () => ask(api.catalogue.model.get({ query: { id: id ?? '' } })),
    enabled: id !== null,
    staleTime: staleMs,
  })

/** Address of a model's page: its id may hold slashes. */
export const modelPath = (id: string): string =>
  `/models/${id.split('/').map(encodeURIComponent).join('/')}`
