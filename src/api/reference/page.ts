import { createHash } from 'node:crypto'
import { html, inline, prose, type Html } from './html'
import { fieldsOf, itemsOf, type Json, type JsonFields } from './json-schema'
import { pageStyle } from './page-style'

/** A page, and what a browser may do with it. */
export interface Page {
  readonly html: string
  /** Nothing is loaded, run or sent; the one style that the page holds is known by its hash. */
  readonly contentSecurityPolicy: string
}

/** Whose reference it is, where that is not the program's own name and colours. */
export interface PageBrand {
  readonly name: string | null
  /** Of links by day and by night. */
  readonly colours: { readonly byDay: string; readonly atNight: string } | null
  /** A `data:` address: the page loads nothing. */
  readonly logo: string | null
}

/** The document for people: one page without a script, and without anything from elsewhere. */
export function pageOf(document: JsonFields, brand: PageBrand): Page {
  const info = fieldsOf(document['info'])
  const paths = Object.entries(fieldsOf(document['paths'])).flatMap(([path, methods]) =>
    Object.entries(fieldsOf(methods)).map(([method, told]) => ({
      method: method.toUpperCase(),
      path,
      told: fieldsOf(told),
    })),
  )
  const groups = [...Map.groupBy(paths, ({ told }) => wordOf(itemsOf(told['tags'])[0]))]
  const schemas = Object.entries(fieldsOf(fieldsOf(document['components'])['schemas']))
  const title = `${brand.name ?? wordOf(info['title'])} ${wordOf(info['version'])}`
  const body = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>
          ${{ html: pageStyle + markStyle(brand) }}
        </style>
      </head>
      <body>
        <nav>
          ${groups.map(([group]) => html`<a href="#${anchor(`about ${group}`)}">${group}</a>`)}
          <a href="#objects">Objects</a><a href="#errors">Errors</a
          ><a href="/openapi.json">openapi.json</a>
        </nav>
        <main>
          ${brand.logo === null ? [] : [html`<img class="logo" src="${brand.logo}" alt="" />`]}
          <h1>${title}</h1>
          ${prose(wordOf(info['description']))}
          <pre><code>${tryIt}</code></pre>
          ${groups.map(
            ([group, all]) =>
              html`<h2 id="${anchor(`about ${group}`)}">${group}</h2>
                ${all.map(endpoint)}`,
          )}
          <h2 id="objects">Objects</h2>
          ${schemas.map(([name, schema]) => named(name, fieldsOf(schema)))}
          <h2 id="errors">Errors</h2>
          ${errors(document)}
        </main>
      </body>
    </html> `
  // As it stands in the page, blanks and all: that is what a browser compares.
  const style = body.html.slice(
    body.html.indexOf('<style>') + '<style>'.length,
    body.html.indexOf('</style>'),
  )
  const hash = createHash('sha256').update(style).digest('base64')
  return {
    html: body.html,
    contentSecurityPolicy: [
      "default-src 'none'",
      `style-src 'sha256-${hash}'`,
      ...(brand.logo === null ? [] : ['img-src data:']),
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
  }
}

const markStyle = ({ colours }: PageBrand): string =>
  colours === null
    ? ''
    : `:root{--mark:${colours.byDay}}@media(prefers-color-scheme:dark){:root{--mark:${colours.atNight}}}`

const tryIt = `curl -s $OPENAI_BASE_URL/chat/completions -H "authorization: Bearer $OPENAI_API_KEY" \\
  -d '{"model":"sandbox/echo","messages":[{"role":"user","content":"سلام"}]}'`

interface Endpoint {
  readonly method: string
  readonly path: string
  readonly told: JsonFields
}

function endpoint({ method, path, told }: Endpoint): Html {
  const body = fieldsOf(fieldsOf(told['requestBody'])['content'])
  const parameters = itemsOf(told['parameters']).map(fieldsOf)
  const answers = Object.entries(fieldsOf(told['responses']))
  return html`<h3 id="${wordOf(told['operationId'])}">
      <span class="verb">${method}</span> ${path}
    </h3>
    <p>
      ${inline(wordOf(told['summary']))}
      <span class="soft"
        >${itemsOf(told['security']).length > 0 ? 'A key is needed.' : 'No key is needed.'}</span
      >
    </p>
    ${prose(wordOf(told['description'])).filter((each) => each.html !== '<p></p>')}
    ${
      parameters.length === 0
        ? []
        : table(
            ['Parameter', 'In', 'Type', ''],
            parameters.map((each) => [
              html`<code>${wordOf(each['name'])}</code>`,
              html`${wordOf(each['in'])}`,
              typeOf(fieldsOf(each['schema'])),
              html`${inline(wordOf(each['description']))}`,
            ]),
          )
    }
    ${Object.entries(body).map(([type, content]) => requestBody(type, fieldsOf(content)))}
    ${table(['Status', 'Answer', ''], answers.map(answerRow))}`
}

const requestBody = (type: string, content: JsonFields): Html =>
  html`<p>Body: ${typeOf(fieldsOf(content['schema']))} as <code>${type}</code></p>
    ${
      content['example'] === undefined
        ? []
        : html`<details>
            <summary>Example</summary>
            <pre><code>${JSON.stringify(content['example'], null, 2)}</code></pre>
          </details>`
    }`

function answerRow([status, answer]: readonly [string, Json]): readonly Html[] {
  const told = fieldsOf(answer)
  const types = Object.entries(fieldsOf(told['content'])).map(
    ([type, content]) =>
      html`${typeOf(fieldsOf(fieldsOf(content)['schema']))} <span class="soft">${type}</span
        ><br />`,
  )
  return [html`${status}`, html`${types}`, html`${inline(wordOf(told['description']))}`]
}

function named(name: string, schema: JsonFields): Html {
  const required = new Set(itemsOf(schema['required']))
  const rows = Object.entries(fieldsOf(schema['properties'])).map(([field, inner]) => [
    html`<code>${field}</code
      >${required.has(field) ? [] : html` <span class="soft">optional</span>`}`,
    typeOf(fieldsOf(inner)),
    html`${inline(wordOf(fieldsOf(inner)['description']))}`,
  ])
  return html`<h3 id="${anchor(name)}">${name}</h3>
    ${table(['Field', 'Type', ''], rows)}`
}

function errors(document: JsonFields): Html {
  const examples = fieldsOf(fieldsOf(document['components'])['examples'])
  const rows = itemsOf(document['x-error-codes']).map((each) => {
    const row = fieldsOf(each)
    const value = fieldsOf(fieldsOf(examples[wordOf(row['code'])])['value'])
    return [
      html`${wordOf(row['status'])}`,
      html`<code>${wordOf(row['on_wire'] ?? 'null')}</code>`,
      html`${wordOf(row['type'])}`,
      html`${row['retry'] === true ? 'yes' : 'no'}`,
      html`${inline(wordOf(fieldsOf(value['error'])['message']))}`,
    ]
  })
  return table(['Status', 'Code', 'Type', 'Repeat', 'Message'], rows)
}

const table = (heads: readonly string[], rows: readonly (readonly Html[])[]): Html =>
  html`<div class="wide">
    <table>
      <thead>
        <tr>
          ${heads.map((head) => html`<th>${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${row.map((cell) => html`<td>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`

/** What a value may be, in a few words; named schemas are linked. */
function typeOf(schema: JsonFields): Html {
  const reference = schema['$ref']
  if (typeof reference === 'string') {
    const name = reference.slice(reference.lastIndexOf('/') + 1)
    return html`<a href="#${anchor(name)}">${name}</a>`
  }
  const inside = schema['contentSchema']
  if (inside !== undefined) return html`events, each ${typeOf(fieldsOf(inside))}`
  const choices = itemsOf(schema['anyOf'])
  if (choices.length > 0)
    return separated(
      choices.map((each) => typeOf(fieldsOf(each))),
      ' or ',
    )
  const words = itemsOf(schema['enum'] ?? (schema['const'] === undefined ? [] : [schema['const']]))
  if (words.length > 0)
    return separated(
      words.map((word) => html`<code>${wordOf(word)}</code>`),
      ', ',
    )
  if (schema['type'] === 'array') return html`list of ${typeOf(fieldsOf(schema['items']))}`
  return html`${wordOf(schema['type'] ?? 'any')}`
}

const separated = (parts: readonly Html[], by: string): Html =>
  html`${parts.map((part, at) => (at === 0 ? part : html`${by}${part}`))}`

const wordOf = (value: Json | undefined): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)

const anchor = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '-')
