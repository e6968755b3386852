import { once } from '../domain/memoize'
import { GatewayError } from '../errors/gateway-error'
import type { Inbound } from '../gateway/http/inbound'
import type { Directory } from '../gateway/identity/account-directory'
import { addressBucket, isLoopbackHost } from '../gateway/net/address'
import { passkeySiteAt } from '../business/users/passkey'
import type { ConsoleParts } from './api/parts'
import { brandPath, logoResponse, type ShownBrand } from './brand'
import { openCustomerOf } from './customer'
import { embedded, type EmbeddedApp } from './embedded'
import { isGuideSearch, isOfGuide } from './guide-path'
import { exampleRoot } from './guide-render'
import type { DescribeInterface } from './guide-reference'
import type { DescribeCommands } from './guide-tables'
import { landingPage } from './landing'
import { openOwn } from './own'
import { openPlayground, playgroundPath, type CallByKey } from './playground'
import { Refusal } from './refusal'
import { tokenOf } from './session-cookie'
import { openPaymentDoors, type PaymentDoorsParts } from './payment-doors'
import { assetPath, openPages, type Pages } from './pages'
import { checkDoor, isOfOperators, type Door } from './operator-door'
import type { OperatorService } from './operator-parts'

/** Pages for people: the small one at `/`, the guide, and the web app below `/app`. */
export interface WebApp {
  /**
   * @param request for `/`, at or below `/app`, or for a page of the guide or the reference
   * @throws GatewayError where operators are not answered
   */
  answer(request: Request, inbound: Inbound, door: Door): Promise<Response>
}

type MadeHere = 'serviceName' | 'customer' | 'own' | 'addressOf' | 'passkeySite' | 'operatorUrl'

interface WebAppParts extends Omit<ConsoleParts, MadeHere> {
  /** Read anew for each page. */
  brand(): ShownBrand
  readonly callByKey: CallByKey
  /** To read what is somebody's own. */
  readonly allAccounts: Pick<Directory, 'findProject' | 'findKey'>
  /** Where this process listens. */
  listensAt(): string
  /** Where clients reach the service, without a path; null where nobody said. */
  shownRoot(): string | null
  readonly slips: PaymentDoorsParts['slips']
  readonly trialWordOf: PaymentDoorsParts['trialWordOf']
  /** Told who came back from a bank, and with which query. */
  onReturn(payment: string, query: string): void
  /** Told of an event that no gateway of ours signed. */
  onUnsigned(gateway: string, code: string): void
  readonly desk: OperatorService
  /** Content of the page of commands. */
  readonly describeCommands: DescribeCommands
  /** Content of the page of the reference. */
  readonly describeInterface: DescribeInterface
  /** Tests bring their own. */
  readonly app?: EmbeddedApp
}

const apiPath = '/app/api/'

/** Opens the pages. Nothing of them is read before the first request. */
export function openWebApp(parts: WebAppParts): WebApp {
  const { publicUrl, isSecure, desk, app = embedded } = parts
  const hasApp = app.page !== ''
  /** The framework hands on the request and nothing beside it. */
  const addresses = new WeakMap<Request, string>()
  const addressOf = (request: Request) => addresses.get(request) ?? ''
  const countStranger = (request: Request) =>
    parts.limits.takeAddress(addressBucket(addressOf(request)))
  const { sessions, looks } = parts
  const customer = openCustomerOf({ sessions, looks, isSecure, onStranger: countStranger })
  const own = openOwn(parts.allAccounts)
  const passkeySite = ({ url }: Request) => passkeySiteAt(publicUrl, parts.listensAt(), url)
  const shownRoot = () => parts.shownRoot() ?? exampleRoot
  // Hundreds of routes: read and made for the first visitor, since many gateways never have one.
  const api = once(async () => {
    const { openConsoleApi } = await import('./api/console-api')
    return openConsoleApi({
      ...parts,
      serviceName: () => parts.brand().name,
      customer,
      own,
      addressOf,
      passkeySite,
      operatorUrl: () => desk.service.operatorUrl(),
    })
  })
  const playground = openPlayground({
    async customer(request) {
      if (tokenOf(request.headers, isSecure) === null) await countStranger(request)
      const who = await customer(request)
      if (who.look !== undefined) throw new Refusal(403, 'look_only')
      return who
    },
    own,
    callByKey: parts.callByKey,
  })
  const operatorApi = once(async () => {
    const { openOperatorApi } = await import('./api/operator/operator-api')
    return openOperatorApi(desk, addressOf)
  })
  const { brand, describeCommands, describeInterface } = parts
  const pages = openPages({ app, brand, isSecure })
  const takeAddress = (bucket: string) => parts.limits.takeAddress(bucket)
  const doors = openPaymentDoors({ ...parts, takeAddress })
  const guide = once(async () => {
    const { openGuide } = await import('./guide')
    return openGuide({ brand, isSecure, shownRoot, describeCommands, describeInterface })
  })
  const landing = (request: Request) => {
    const baseUrl = `${shownRoot()}/v1`
    return landingPage(request.headers, { brand: brand(), baseUrl, hasApp, isSecure })
  }
  const atOperatorsDoor = openOperatorsDoor(desk, brand, pages)
  return {
    async answer(request, inbound, door) {
      const { path, address } = inbound
      if (isOfOperators(path)) checkDoor(desk, inbound, door)
      else if (door === 'operators') return atOperatorsDoor(request, inbound)
      if (path.startsWith(apiPath)) {
        // Before the body is read: Elysia would check its shape first.
        if (isForged(request)) return refused(403, 'forged')
        // Of a `Host` that is none the runtime makes no address (RFC 9112, 3.2: 400).
        if (!URL.canParse(request.url)) return refused(400, 'invalid')
        if (losesCookies(request, isOfOperators(path) ? desk : parts))
          return refused(400, 'needs_https')
        addresses.set(request, address)
        if (path.startsWith(playgroundPath)) return playground(request, inbound)
        return isOfOperators(path) ? handled(operatorApi(), request) : handled(api(), request)
      }
      const atDoor = doors.answer(request, inbound)
      if (atDoor !== null) return atDoor
      if (path.startsWith(brandPath)) return logoResponse(parts.brand(), path)
      if (isGuideSearch(path)) await takeAddress(addressBucket(address))
      if (isOfGuide(path)) return guide().then((answers) => answers(request, path))
      return path === '/' || !hasApp ? landing(request) : pages(request, path)
    },
  }
}

/** Answers at the operators' own address: their pages, and the files that those are drawn with. */
const openOperatorsDoor =
  (desk: OperatorService, brand: () => ShownBrand, pages: Pages) =>
  (request: Request, inbound: Inbound): Response => {
    const { method, path } = inbound
    checkDoor(desk, inbound, 'operators')
    if (path.startsWith(assetPath)) return pages(request, path)
    if (path.startsWith(brandPath)) return logoResponse(brand(), path)
    if (path === '/' || path === '/app') return Response.redirect('/app/operator', 302)
    throw new GatewayError('unknown_url', { method, path })
  }

interface Router {
  handle(request: Request): Response | Promise<Response>
}

const handled = async (router: Promise<Router>, request: Request): Promise<Response> =>
  await (await router).handle(request)

const refused = (status: number, code: string): Response =>
  Response.json({ error: { code } }, { status, headers: { 'cache-control': 'no-store' } })

/**
 * Whether a browser would drop the cookies of this visit: they are `Secure`, and its page came by plain http from
 * another machine. Its people are told so, instead of being signed out again and again.
 */
function losesCookies({ headers }: Request, { isSecure }: { readonly isSecure: boolean }): boolean {
  const { protocol, hostname = '' } = URL.parse(headers.get('origin') ?? '') ?? {}
  return isSecure && protocol === 'http:' && !isLoopbackHost(hostname)
}

/**
 * Whether another site's page sent this: a request that changes something must come from a page of
 * ours. Browsers say so in `Sec-Fetch-Site` (Fetch Metadata, W3C); over plain http only in `Origin`,
 * whose host must be the one that was asked (the rule of Go's `net/http.CrossOriginProtection`). A
 * client that sends neither is no browser, and carries nobody's cookies.
 */
function isForged({ method, headers }: Request): boolean {
  if (method === 'GET' || method === 'HEAD') return false
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site !== 'same-origin' && site !== 'none'
  const origin = headers.get('origin')
  return origin !== null && URL.parse(origin)?.host !== headers.get('host')
}
