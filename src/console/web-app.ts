import type { Inbound } from '../http/inbound'
import type { Directory } from '../identity/directory'
import { addressBucket } from '../net/address'
import { passkeySiteOf, type PasskeySite } from '../people/passkey'
import { openConsoleApi } from './api/console-api'
import type { ConsoleParts } from './api/parts'
import { brandPath, logoResponse, type Brand } from './brand'
import { openCustomerOf } from './customer'
import { embedded, type EmbeddedApp } from './embedded'
import { isForged } from './forgery'
import { isOfGuide, openGuide } from './guide'
import type { DescribeCommands } from './guide-tables'
import { landingPage } from './landing'
import { openOwn } from './own'
import { openPages } from './pages'
import { openPlayground, playgroundPath, type CallByKey } from './playground'
import { tokenOf } from './session-cookie'

/** What is served to people: the small page at `/`, the guide, and the web app below `/app`. */
export interface WebApp {
  /** @param request for `/`, at or below `/app`, or for a page of the guide */
  answer(request: Request, inbound: Inbound): Response | Promise<Response>
}

type MadeHere = 'serviceName' | 'isSecure' | 'customer' | 'own' | 'addressOf' | 'passkeySite'

export interface WebAppParts extends Omit<ConsoleParts, MadeHere> {
  /** Read anew for each page. */
  brand(): Brand
  readonly callByKey: CallByKey
  /** To read what is somebody's own. */
  readonly allAccounts: Pick<Directory, 'findProject' | 'findKey'>
  /** Where the service is reached, without a path; null: wherever a request came to. */
  readonly publicUrl: string | null
  /** What the page of commands shows. */
  readonly describeCommands: DescribeCommands
  /** Tests bring their own. */
  readonly app?: EmbeddedApp
}

const apiPath = '/app/api/'

/** Opens the pages. Nothing of them is read before the first request. */
export function openWebApp(parts: WebAppParts): WebApp {
  const { publicUrl, app = embedded } = parts
  const isSecure = publicUrl?.startsWith('https:') === true
  const hasApp = app.page !== ''
  /** The framework hands on the request and nothing beside it. */
  const addresses = new WeakMap<Request, string>()
  const addressOf = (request: Request) => addresses.get(request) ?? ''
  const countStranger = (request: Request) =>
    parts.limits.takeAddress(addressBucket(addressOf(request)))
  const customer = openCustomerOf(parts.sessions, isSecure, countStranger)
  const own = openOwn(parts.allAccounts)
  const passkeySite = ({ url }: Request) => siteOf(publicUrl, url)
  const api = openConsoleApi({
    ...parts,
    serviceName: () => parts.brand().name,
    isSecure,
    customer,
    own,
    addressOf,
    passkeySite,
  })
  const playground = openPlayground({
    customer(request) {
      if (tokenOf(request.headers, isSecure) === null) countStranger(request)
      return customer(request)
    },
    own,
    callByKey: parts.callByKey,
  })
  const { brand, describeCommands } = parts
  const pages = openPages({ app, brand, isSecure })
  const rootOf = ({ headers }: Request) =>
    publicUrl ?? `http://${headers.get('host') ?? 'localhost'}`
  const guide = openGuide({ brand, isSecure, rootOf, describeCommands })
  const landing = (request: Request) => {
    const baseUrl = `${rootOf(request)}/v1`
    return landingPage(request.headers, { brand: brand(), baseUrl, hasApp, isSecure })
  }
  return {
    answer(request, inbound) {
      const { path, address } = inbound
      if (path.startsWith(apiPath)) {
        // Before the body is read: Elysia would check its shape first.
        if (isForged(request)) return refused(403, 'forged')
        addresses.set(request, address)
        return path.startsWith(playgroundPath) ? playground(request, inbound) : api.handle(request)
      }
      if (path.startsWith(brandPath)) return logoResponse(parts.brand(), path)
      if (isOfGuide(path)) return guide(request, path)
      return path === '/' || !hasApp ? landing(request) : pages(request, path)
    },
  }
}

/** Unless an operator said where people come, only whoever sits at this machine is known to be there. */
function siteOf(publicUrl: string | null, requested: string): PasskeySite | null {
  if (publicUrl !== null) return passkeySiteOf(publicUrl)
  return URL.parse(requested)?.hostname === 'localhost' ? passkeySiteOf(requested) : null
}

const refused = (status: number, code: string): Response =>
  Response.json({ error: { code } }, { status, headers: { 'cache-control': 'no-store' } })
