import type { TObject, TSchema } from '@sinclair/typebox'
import type { Operation } from './operation'
import { operationRows } from './table'

type Json = Readonly<Record<string, unknown>>

const about = `What the operator's console and the commands do, for programs. Send the key of an
operator (\`chapar operator key create\`) as \`Authorization: Bearer op-v1-…\`. Money is a decimal
string in dollars, lists come in pages: \`next\` is the \`before\` of the page behind.

Decide on \`error.code\`, never on \`error.message\`, which is Persian, and English with
\`Accept-Language: en\`. Every change is one line of the trail, with the key's first characters as who.`

const ErrorReply = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['message', 'type', 'code', 'param'],
      properties: {
        message: { type: 'string' },
        type: { type: 'string' },
        code: { type: ['string', 'null'] },
        param: { type: ['string', 'null'] },
        facts: {
          type: 'object',
          description: 'what the message is made of, by code; amounts in billionths of a dollar',
        },
      },
    },
  },
}

/** The OpenAPI 3.1 document of `/admin/v1`, from the schemas that check requests. */
export function adminDocument(): Json {
  const paths: Record<string, Record<string, Json>> = {}
  for (const row of operationRows)
    paths[row.path] = { ...paths[row.path], [row.method.toLowerCase()]: described(row) }
  return {
    openapi: '3.1.0',
    info: { title: 'Chapar for operators', version: '1.0.0', description: about },
    servers: [{ url: '/admin/v1', description: 'where this document came from' }],
    tags: [...new Set(operationRows.map(subjectOf))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        operatorKey: {
          type: 'http',
          scheme: 'bearer',
          description: '`Authorization: Bearer op-v1-…`',
        },
      },
      schemas: { Error: ErrorReply },
    },
    security: [{ operatorKey: [] }],
  }
}

const subjectOf = ({ name }: Operation): string => name.split('.')[0] ?? name

const plain = (schema: TSchema): unknown => JSON.parse(JSON.stringify(schema))

const parameters = (fields: TObject, place: 'path' | 'query') =>
  Object.entries(fields.properties).map(([name, schema]) => ({
    name,
    in: place,
    required: fields.required?.includes(name) === true && schema.default === undefined,
    schema: plain(schema),
  }))

function described(row: Operation): Json {
  const { name, about, role, params, query, body, result } = row
  const hasBody = Object.keys(body.properties).length > 0
  return {
    operationId: name,
    tags: [subjectOf(row)],
    summary: `${about}.`,
    description: `Least role: \`${role}\`.`,
    parameters: [...parameters(params, 'path'), ...parameters(query, 'query')],
    ...(row.maxUploadMb === null
      ? {}
      : {
          requestBody: {
            required: true,
            content: {
              'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
            },
          },
        }),
    ...(hasBody
      ? {
          requestBody: { required: true, content: { 'application/json': { schema: plain(body) } } },
        }
      : {}),
    responses: {
      200: { description: 'Done.', content: { 'application/json': { schema: plain(result) } } },
      default: {
        description: 'Refused.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
    'x-role': role,
  }
}
