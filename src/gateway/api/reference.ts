import { Type } from '@sinclair/typebox'
import { addressBucket } from '../net/address'
import { answerHeaders } from '../http/headers'
import { readLanguage } from '../http/language'
import { contentOf, type ReferenceContent } from './reference/content'
import { openErrors, openHeaders } from './reference/doc'
import type { Json, JsonFields } from './reference/json-schema'
import { openApiOf } from './reference/openapi'
import { referencePage, type Page, type PageBrand } from './reference/page'
import type { Settings } from '../settings/registry'
import type { ReferenceLanguage } from './reference/words'
import type { ApiRoute } from './route'

/** A description of every route, for programs and for people. */
interface Reference {
  readonly routes: readonly ApiRoute[]
  /** The OpenAPI document. @throws Error when a route is not described */
  document(): JsonFields
  /** For people, without what stands around it. @param name of the service, where it is not the program's */
  content(language: ReferenceLanguage, name: string | null): ReferenceContent
}

/** @param table every route that is described, these two included; asked when it is first needed */
export function openReference(table: () => readonly ApiRoute[]): Reference {
  let made: JsonFields | null = null
  let text: string | null = null
  const pages = new Map<ReferenceLanguage, { readonly page: Page; readonly brand: string }>()
  const document = () => (made ??= openApiOf(table()))

  const openapi: ApiRoute = {
    method: 'GET',
    path: '/openapi.json',
    doc: {
      group: 'Service',
      summary: 'This interface as an OpenAPI 3.1 document.',
      keyed: false,
      answers: [
        {
          status: 200,
          description: 'The document.',
          headers: openHeaders,
          content: { 'application/json': { schema: Type.Object({ openapi: Type.String() }) } },
        },
      ],
      errors: openErrors,
    },
    async serve({ limits }, inbound) {
      await limits.takeAddress(addressBucket(inbound.address))
      text ??= printed(document())
      return new Response(text, {
        headers: {
          ...answerHeaders(inbound, null),
          'content-type': 'application/json; charset=utf-8',
        },
      })
    },
  }

  const docs: ApiRoute = {
    method: 'GET',
    path: '/docs',
    doc: {
      group: 'Service',
      summary: 'The same as a page for people.',
      keyed: false,
      answers: [
        {
          status: 200,
          description: 'The page: no script, nothing from elsewhere.',
          headers: openHeaders,
          content: { 'text/html': { schema: Type.String() } },
        },
      ],
      errors: openErrors,
    },
    async serve({ limits, settings }, inbound) {
      await limits.takeAddress(addressBucket(inbound.address))
      const { brandName, brandColour, brandLogo } = settings
      const brand = JSON.stringify([brandName, brandColour?.colour, brandLogo?.hash])
      const language = readLanguage(inbound.headers)
      let known = pages.get(language)
      if (known?.brand !== brand) {
        known = { brand, page: referencePage(document(), brandOf(settings), language) }
        pages.set(language, known)
      }
      const { html, contentSecurityPolicy } = known.page
      return new Response(html, {
        headers: {
          ...answerHeaders(inbound, null),
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': contentSecurityPolicy,
          'referrer-policy': 'no-referrer',
        },
      })
    },
  }

  return {
    routes: [openapi, docs],
    document,
    content: (language, name) => contentOf(document(), language, name),
  }
}

const brandOf = ({
  brandName,
  brandColour,
  brandLogo,
}: Pick<Settings, 'brandName' | 'brandColour' | 'brandLogo'>): PageBrand => {
  const [byDay, atNight] = [brandColour?.shades[7], brandColour?.shades[4]]
  return {
    name: brandName,
    colours: byDay === undefined || atNight === undefined ? null : { byDay, atNight },
    logo:
      brandLogo === null
        ? null
        : `data:${brandLogo.type};base64,${Buffer.from(brandLogo.bytes).toString('base64')}`,
  }
}

/** Indented: people read it too. */
export const printed = (document: Json): string => `${JSON.stringify(document, null, 2)}\n`
