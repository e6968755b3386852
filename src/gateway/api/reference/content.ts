import type { ErrorCode } from '../../../errors/codes'
import { errorExample } from './examples'
import { inPersian } from './fa/translate'
import { html, inline, prose, type Html } from './html'
import { jsonFieldsOf, itemsOf, type Json, type JsonFields } from './json-schema'
import { words, type ReferenceLanguage } from './words'

/** The document for people: the middle of a page, and its sections for a search. */
export interface ReferenceContent {
  readonly title: string
  readonly html: Html
  readonly sections: readonly ReferenceSection[]
}

interface ReferenceSection {
  readonly heading: string
  readonly anchor: string
  /** Without any mark. */
  readonly text: string
}

interface Operation {
  readonly method: string
  readonly path: string
  readonly told: JsonFields
}

/** Content of the reference page, by the interface's document. @param name of the service, where it is not the program's own */
export function contentOf(
  document: JsonFields,
  language: ReferenceLanguage,
  name: string | null,
): ReferenceContent {
  const writer = new Writer(language)
  const info = jsonFieldsOf(document['info'])
  const operations = Object.entries(jsonFieldsOf(document['paths'])).flatMap(([path, methods]) =>
    Object.entries(jsonFieldsOf(methods)).map(([method, told]): Operation => ({
      method: method.toUpperCase(),
      path,
      told: jsonFieldsOf(told),
    })),
  )
  const groups = [...Map.groupBy(operations, ({ told }) => wordOf(itemsOf(told['tags'])[0]))]
  const schemas = Object.entries(jsonFieldsOf(jsonFieldsOf(document['components'])['schemas']))
  const title = `${name ?? wordOf(info['title'])} ${wordOf(info['version'])}`
  const told = words[language]
  return {
    title,
    html: html`<h1><bdi>${title}</bdi></h1>
      ${prose(writer.text(info['description']))}
      <pre tabindex="0" dir="ltr"><code>${tryIt}</code></pre>
      <nav class="parts" aria-label="${told.title}">
        ${groups.map(([group]) => html`<a href="#${anchor(`about ${group}`)}">${writer.group(group)}</a> `)}
        <a href="#objects">${told.objects}</a> <a href="#errors">${told.errors}</a>
        <a href="/openapi.json">${told.document}</a>
      </nav>
      ${groups.map(
        ([group, all]) =>
          html`<h2 id="${anchor(`about ${group}`)}">${writer.group(group)}</h2>
            ${all.map((each) => writer.operation(each))}`,
      )}
      <h2 id="objects">${told.objects}</h2>
      ${schemas.map(([schema, fields]) => writer.schema(schema, jsonFieldsOf(fields)))}
      <h2 id="errors">${told.errors}</h2>
      ${writer.errors(document)}`,
    sections: [
      ...operations.map((each) => writer.operationSection(each)),
      ...schemas.map(([schema, fields]) => writer.schemaSection(schema, jsonFieldsOf(fields))),
    ],
  }
}

const tryIt = `curl -s $OPENAI_BASE_URL/chat/completions -H "authorization: Bearer $OPENAI_API_KEY" \\
  -d '{"model":"sandbox/echo","messages":[{"role":"user","content":"سلام"}]}'`

/** Parts of the page in one language. */
class Writer {
  readonly #words: (typeof words)[ReferenceLanguage]

  constructor(readonly language: ReferenceLanguage) {
    this.#words = words[language]
  }

  /** Prose of the document; English where there is no other. */
  text(value: Json | undefined): string {
    const text = wordOf(value)
    return this.language === 'fa' ? (inPersian(text) ?? text) : text
  }

  group(name: string): string {
    return this.#words.groups[name] ?? name
  }

  operation({ method, path, told }: Operation): Html {
    const body = jsonFieldsOf(jsonFieldsOf(told['requestBody'])['content'])
    const parameters = itemsOf(told['parameters']).map(jsonFieldsOf)
    const answers = Object.entries(jsonFieldsOf(told['responses']))
    const { needsKey, needsNoKey } = this.#words
    const description = this.text(told['description'])
    return html`<h3 id="${wordOf(told['operationId'])}" dir="ltr">
        <span class="verb">${method}</span> ${path}
      </h3>
      <p>
        ${inline(this.text(told['summary']))}
        <span class="soft">${itemsOf(told['security']).length > 0 ? needsKey : needsNoKey}</span>
      </p>
      ${description === '' ? [] : prose(description)}
      ${
        parameters.length === 0
          ? []
          : this.#table(
              this.#words.parameters,
              parameters.map((each) => [
                code(wordOf(each['name'])),
                html`${wordOf(each['in'])}`,
                this.#type(jsonFieldsOf(each['schema'])),
                html`${inline(this.text(each['description']))}`,
              ]),
            )
      }
      ${Object.entries(body).map(([type, content]) => this.#body(type, jsonFieldsOf(content)))}
      ${this.#table(
        this.#words.answers,
        answers.map((each) => this.#answer(each)),
      )}`
  }

  operationSection({ method, path, told }: Operation): ReferenceSection {
    const texts = [
      this.text(told['summary']),
      this.text(told['description']),
      ...itemsOf(told['parameters'])
        .map(jsonFieldsOf)
        .map((each) => `${wordOf(each['name'])} ${this.text(each['description'])}`),
    ]
    const text = plain(texts.join(' '))
    return { heading: `${method} ${path}`, anchor: wordOf(told['operationId']), text }
  }

  schema(name: string, schema: JsonFields): Html {
    const required = new Set(itemsOf(schema['required']))
    const { optional, fields } = this.#words
    const rows = Object.entries(jsonFieldsOf(schema['properties'])).map(([field, inner]) => [
      html`${code(field)}${required.has(field) ? [] : html` <span class="soft">${optional}</span>`}`,
      this.#type(jsonFieldsOf(inner)),
      html`${inline(this.text(jsonFieldsOf(inner)['description']))}`,
    ])
    return html`<h3 id="${anchor(name)}" dir="ltr">${name}</h3>
      ${this.#table(fields, rows)}`
  }

  schemaSection(name: string, schema: JsonFields): ReferenceSection {
    const fields = Object.entries(jsonFieldsOf(schema['properties'])).map(
      ([field, inner]) => `${field} ${this.text(jsonFieldsOf(inner)['description'])}`,
    )
    return { heading: name, anchor: anchor(name), text: plain(fields.join('; ')) }
  }

  errors(document: JsonFields): Html {
    const { yes, no, codes } = this.#words
    const rows = itemsOf(document['x-error-codes']).map((each) => {
      const row = jsonFieldsOf(each)
      const { message } = errorExample(wordOf(row['code']) as ErrorCode, this.language).error
      return [
        html`${wordOf(row['status'])}`,
        code(wordOf(row['on_wire'] ?? 'null')),
        html`<bdi>${wordOf(row['type'])}</bdi>`,
        html`${row['retry'] === true ? yes : no}`,
        html`${inline(message)}`,
      ]
    })
    return this.#table(codes, rows)
  }

  #body(type: string, content: JsonFields): Html {
    const told = this.#words
    const { example } = content
    return html`<p>
        ${told.body} ${this.#type(jsonFieldsOf(content['schema']))} ${told.as} ${code(type)}
      </p>
      ${
        example === undefined
          ? []
          : html`<details>
              <summary>${told.example}</summary>
              <pre tabindex="0" dir="ltr"><code>${JSON.stringify(example, null, 2)}</code></pre>
            </details>`
      }`
  }

  #answer([status, answer]: readonly [string, Json]): readonly Html[] {
    const told = jsonFieldsOf(answer)
    const types = Object.entries(jsonFieldsOf(told['content'])).map(
      ([type, content]) =>
        html`${this.#type(jsonFieldsOf(jsonFieldsOf(content)['schema']))}
          <span class="soft"><bdi>${type}</bdi></span
          ><br />`,
    )
    return [html`${status}`, html`${types}`, html`${inline(this.text(told['description']))}`]
  }

  #table(heads: readonly string[], rows: readonly (readonly Html[])[]): Html {
    return html`<div class="wide" tabindex="0">
      <table>
        <thead>
          <tr>
            ${heads.map((head) => (head === '' ? html`<td></td>` : html`<th>${head}</th>`))}
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
  }

  /** Type of a value in a few words; named schemas are linked. */
  #type(schema: JsonFields): Html {
    const { events, or, comma, listOf } = this.#words
    const reference = schema['$ref']
    if (typeof reference === 'string') {
      const name = reference.slice(reference.lastIndexOf('/') + 1)
      return html`<a href="#${anchor(name)}">${name}</a>`
    }
    const inside = schema['contentSchema']
    if (inside !== undefined) return html`${events} ${this.#type(jsonFieldsOf(inside))}`
    const choices = itemsOf(schema['anyOf'])
    if (choices.length > 0)
      return separated(
        choices.map((each) => this.#type(jsonFieldsOf(each))),
        or,
      )
    const fixed = schema['const'] === undefined ? [] : [schema['const']]
    const choice = itemsOf(schema['enum'] ?? fixed)
    if (choice.length > 0)
      return separated(
        choice.map((word) => code(wordOf(word))),
        comma,
      )
    if (schema['type'] === 'array')
      return html`${listOf} ${this.#type(jsonFieldsOf(schema['items']))}`
    return html`<bdi>${wordOf(schema['type'] ?? 'any')}</bdi>`
  }
}

const code = (text: string): Html => html`<code dir="ltr">${text}</code>`

const separated = (parts: readonly Html[], by: string): Html =>
  html`${parts.map((part, at) => (at === 0 ? part : html`${by}${part}`))}`

const wordOf = (value: Json | undefined): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)

const plain = (text: string): string => text.replaceAll('`', '').replaceAll(/\s+/g, ' ').trim()

const anchor = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '-')
