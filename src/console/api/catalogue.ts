import { Elysia, t } from 'elysia'
import type { GroupId, KeyId } from '../../domain/ids'
import { modelTypes, type ModelFamily } from '../../domain/model'
import { isAllowedModel } from '../models/allowed-model'
import { modelPage } from '../models/model-view'
import { openModelSearch, type ModelSearch } from '../models/model-search'
import type { SoldModel } from '../models/sold-model'
import { Refusal } from '../refusal'
import { max, OptionalId } from './fields'
import type { ConsoleParts } from './parts'

/** Families of models, as `ModelFamily` names them. */
const families = [...modelTypes, 'realtime'] as const satisfies readonly ModelFamily[]

const Search = t.Object({
  text: t.String({ maxLength: 100, default: '' }),
  family: t.Optional(t.Union(families.map((each) => t.Literal(each)))),
  capability: t.Optional(t.String({ maxLength: 40 })),
  order: t.Union([t.Literal('id'), t.Literal('cheapest'), t.Literal('dearest')], { default: 'id' }),
  /** Only what this key may use. */
  key: OptionalId,
  after: t.Optional(t.String({ maxLength: 300 })),
  max,
})

/**
 * `GET /app/api/catalogue`: models on sale, searched; `GET /app/api/catalogue/model`: one of them with
 * its prices. Open to everybody, as `GET /v1/models` is; who is signed in sees what their account pays.
 */
export const catalogueApi = (parts: ConsoleParts) => {
  const searches = new WeakMap<readonly SoldModel[], ModelSearch>()
  /** At the prices of the visitor's account; of nobody's group, where nobody is signed in. */
  const searchOf = async (request: Request): Promise<ModelSearch> => {
    const listed = parts.listedModels(await groupOf(parts, request))
    let search = searches.get(listed)
    if (search === undefined) searches.set(listed, (search = openModelSearch(() => listed)))
    return search
  }
  /** @throws Refusal where it is not the visitor's key */
  const allowedBy = async (request: Request, id: KeyId | null) => {
    if (id === null) return () => true
    const who = await parts.customer(request)
    const key = await parts.own.key(who, id)
    const project = await parts.own.project(who, key.project)
    return isAllowedModel(key, project)
  }
  return new Elysia({ prefix: '/catalogue', normalize: false })
    .mapResponse(({ responseValue, request }) => compressed(responseValue, request))
    .get(
      '/',
      async ({ request, query }) => {
        const { text, family = null, capability = null, order, after = null, key = null } = query
        const allows = await allowedBy(request, key as KeyId | null)
        const found = (await searchOf(request)).find({
          ...query,
          text: text.trim(),
          family,
          capability,
          order,
          after,
          allows,
        })
        return { ...found, coins_per_usd: await parts.coinsPerUsd() }
      },
      { query: Search },
    )
    .get(
      '/model',
      async ({ request, query }) => {
        const model = (await searchOf(request)).model(query.id)
        if (model === null) throw new Refusal(404, 'model_not_found')
        return { ...modelPage(model), coins_per_usd: await parts.coinsPerUsd() }
      },
      { query: t.Object({ id: t.String({ minLength: 1, maxLength: 256 }) }) },
    )
}

/** The group of the account that is signed in; null for none, and for nobody. */
async function groupOf(
  { customer, directory }: Pick<ConsoleParts, 'customer' | 'directory'>,
  request: Request,
): Promise<GroupId | null> {
  try {
    const who = await customer(request)
    return (await directory(who).findAccount(who.account))?.group ?? null
  } catch (thrown) {
    if (thrown instanceof Refusal && thrown.status === 401) return null
    throw thrown
  }
}

/**
 * An answer at a fifth of its size, for browsers that take it. Models are public: no secret stands
 * beside them that lengths could betray.
 */
const compressed = (answer: unknown, { headers }: Request): Response | undefined =>
  /\bgzip\b/.test(headers.get('accept-encoding') ?? '')
    ? new Response(Bun.gzipSync(JSON.stringify(answer)), {
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'content-encoding': 'gzip',
          'cache-control': 'no-store',
          vary: 'accept-encoding',
        },
      })
    : undefined
