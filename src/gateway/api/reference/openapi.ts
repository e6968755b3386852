import type { TObject } from '@sinclair/typebox'
import { codes, errorType, type ErrorCode } from '../../../errors/codes'
import type { AnswerDoc, AnswerHeader, RequestDoc, RouteDoc } from './doc'
import { errorExample, isRetryable } from './examples'
import { openNamedSchemas, type Json, type JsonFields, type NamedSchemas } from './json-schema'
import { ErrorReply, MessagesErrorReply } from './schemas'

/** A row of the table of routes, as far as it is described. */
interface DescribedRoute {
  readonly method: string
  readonly path: string
  readonly doc?: RouteDoc
}

/** Version of the interface, which is not the program's. */
const interfaceVersion = '1.0.0'

const about = `One address, one key and prepaid dollars for many vendors' models. Clients of the
common hosted chat API work when only the base address (\`…/v1\`) and the key are changed.

Money is set aside before a call runs and charged by what it used: a call that fails before an answer
costs nothing, a stream that is cut costs what was sent. Amounts are decimal strings in dollars.

Decide on \`error.code\`, never on \`error.message\`, which is Persian, and English with
\`Accept-Language: en\`. Repeat 429 (after \`Retry-After\`), 502 and 503, unless
\`x-should-retry: false\` says that it cannot help.`

const headers: Readonly<Record<AnswerHeader | 'retry-after', JsonFields>> = {
  'x-request-id': text('Name of this request; `GET /v1/requests/{id}` tells how it ended.'),
  'x-ratelimit-limit': text('Requests per minute of the key.'),
  'x-ratelimit-remaining': text('What is left of the current minute.'),
  'x-stopped-by': text(
    'The code of the balance or cap at which a whole answer ended, as at a ceiling; absent where it ended by itself.',
  ),
  'x-model': text(
    'The model that answered, where several might: fallbacks, `models` of the request, or a name of several.',
  ),
  'x-ignored-fields': text(
    'Members of the request that no published format has, and that were left out since the request was translated.',
  ),
  'x-cost-usd': text('What was charged, in dollars; of a stream the usage event tells it.'),
  'retry-after': text('Whole seconds to wait.'),
}

function text(description: string): JsonFields {
  return { description, schema: { type: 'string' } }
}

/**
 * The OpenAPI 3.1 document of these routes, from the schemas that check requests.
 * @throws Error when a route is not described
 */
export function openApiOf(routes: readonly DescribedRoute[]): JsonFields {
  const notes = new Map(
    routes.flatMap(({ doc }) => {
      const title = doc?.request?.schema.title
      return title === undefined ? [] : [[title, doc?.request?.notes ?? {}] as const]
    }),
  )
  const schemas = openNamedSchemas(notes)
  schemas.at(ErrorReply)
  const paths: Record<string, Record<string, Json>> = {}
  for (const { method, path, doc } of routes) {
    if (doc === undefined) throw new Error(`${method} ${path} is not described`)
    const shown = shownPath(path, doc)
    paths[shown] = {
      ...paths[shown],
      [method.toLowerCase()]: operation(method, shown, doc, schemas),
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Chapar',
      version: interfaceVersion,
      description: about,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'where this document came from' }],
    tags: [...new Set(routes.flatMap(({ doc }) => doc?.group ?? []))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: '`Authorization: Bearer sk-…`' },
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: 'the same key, for tools that cannot send `Authorization`',
        },
      },
      headers,
      examples: Object.fromEntries(allCodes.map((code) => [code, exampleOf(code)])),
      schemas: schemas.all(),
    },
    'x-error-codes': allCodes.map((code) => ({
      code,
      status: codes[code].status,
      type: errorType(code),
      retry: isRetryable(code),
      on_wire: wireCode(code),
    })),
  }
}

const allCodes = Object.keys(codes) as readonly ErrorCode[]

/** `code` as clients read it: null where our own word never leaves the program. */
const wireCode = (code: ErrorCode): ErrorCode | null => ('wireCode' in codes[code] ? null : code)

/** `/v1/models/*` as `/v1/models/{id}`. */
function shownPath(path: string, { rest }: RouteDoc): string {
  if (path.includes('*') !== (rest !== undefined))
    throw new Error(
      `${path}: what a part of the path stands for is told with a star, and only then`,
    )
  return rest === undefined ? path : path.replace('*', `{${rest.name}}`)
}

function operation(method: string, path: string, doc: RouteDoc, schemas: NamedSchemas): Json {
  return {
    operationId: operationId(method, path),
    tags: [doc.group],
    summary: doc.summary,
    ...(doc.description === undefined ? {} : { description: doc.description }),
    parameters: parametersOf(doc, schemas),
    ...(doc.request === undefined ? {} : { requestBody: requestBody(doc.request, schemas) }),
    responses: {
      ...Object.fromEntries(doc.answers.map((each) => [each.status, answerOf(each, schemas)])),
      ...refusalsOf(doc, schemas),
    },
    security: doc.keyed ? [{ bearer: [] }, { apiKey: [] }] : [],
  }
}

/** `GET /v1/models/{id}` as `getModelsId`. */
const operationId = (method: string, path: string): string =>
  method.toLowerCase() +
  path
    .replace(/^\/v1/, '')
    .split(/[^a-z0-9]+/i)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

function pathParameter({ pattern, ...named }: NonNullable<RouteDoc['rest']>): Json {
  const schema = { type: 'string', ...(pattern === undefined ? {} : { pattern }) }
  return { ...named, in: 'path', required: true, schema }
}

function parametersOf({ rest, query, headers: sent }: RouteDoc, schemas: NamedSchemas): Json {
  const listed = (fields: TObject | undefined, place: string): readonly Json[] =>
    Object.entries(fields?.properties ?? {}).map(([name, schema]) => ({
      name,
      in: place,
      required: fields?.required?.includes(name) ?? false,
      ...(schema.description === undefined ? {} : { description: schema.description }),
      schema: schemas.at(schema),
    }))
  const inPath = rest === undefined ? [] : [pathParameter(rest)]
  return [...inPath, ...listed(query, 'query'), ...listed(sent, 'header')]
}

const requestBody = (
  { schema, contentType = 'application/json', example }: RequestDoc,
  schemas: NamedSchemas,
): Json => ({
  required: true,
  content: {
    [contentType]: {
      schema: schemas.at(schema),
      ...(example === undefined ? {} : { example: example as Json }),
    },
  },
})

const answerOf = (answer: AnswerDoc, schemas: NamedSchemas): Json => ({
  description: answer.description,
  headers: headerRefs(answer.headers ?? []),
  content: Object.fromEntries(
    Object.entries(answer.content).map(([type, { schema, example }]) => [
      type,
      {
        schema: schemas.at(schema),
        ...(example === undefined ? {} : { example: example as Json }),
      },
    ]),
  ),
})

const headerRefs = (names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** One answer a status, with an example for each of its codes. */
function refusalsOf({ errors, errorFrame }: RouteDoc, schemas: NamedSchemas): JsonFields {
  const byStatus = Map.groupBy([...new Set(errors)], (code) => codes[code].status)
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, met]) => [
        status,
        {
          description: [...new Set(met.map((code) => `\`${wireCode(code)}\``))].join(', '),
          headers: headerRefs([
            'x-request-id',
            ...(status === 429 || status === 503 ? ['retry-after'] : []),
          ]),
          content: {
            'application/json':
              errorFrame === 'messages'
                ? { schema: schemas.at(MessagesErrorReply) }
                : { schema: schemas.at(ErrorReply), examples: exampleRefs(met) },
          },
        },
      ]),
  )
}

const exampleRefs = (met: readonly ErrorCode[]): Json =>
  Object.fromEntries(met.map((code) => [code, { $ref: `#/components/examples/${code}` }]))

const exampleOf = (code: ErrorCode): Json => ({
  summary: `${codes[code].status} ${wireCode(code)}`,
  value: JSON.parse(JSON.stringify(errorExample(code))) as Json,
})
