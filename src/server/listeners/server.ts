import type { Ticks } from '../../domain/clock'
import type { GatewayError } from '../../errors/gateway-error'
import { sweepBodies } from '../../gateway/http/slow-body-guard'
import { toGatewayError } from '../../gateway/http/error-response'
import { checkNumbers, checkPath } from '../../gateway/http/check-path'
import { openFinish, type Answered } from '../../gateway/http/respond'
import { openPipelineGuard } from '../../gateway/http/pipelining'
import { preflightHeaders, siteHeaders } from '../../gateway/http/headers'
import { openHeadless } from '../../gateway/http/headless'
import type { Inbound } from '../../gateway/http/inbound'
import { connectionsAt, shutListener } from '../../gateway/http/listener'
import { spreadAgain, steerAway, steerToSecond } from '../../gateway/http/steering'
import { openReceivedBytes } from '../../gateway/http/received-bytes'
import { refusalResponse } from '../../gateway/http/refusal'
import { openInbound, type InboundParts } from '../../gateway/http/open-inbound'
import { checkHost, targetRoutes } from '../../gateway/http/request-target'
import type { Upgrade } from '../../gateway/net/socket'
import type { MetricsDoor } from '../../gateway/observability/metrics-door'
import { missing, otherPaths } from '../../gateway/api/missing'
import type { ApiRoute, RouteParts } from '../../gateway/api/route'
import { table } from '../../gateway/api/table'
import type { AdminApi } from '../../console/api/admin/admin-api'
import type { Door } from '../../console/operator-door'
import type { WebApp } from '../../console/web-app'
import { idleTimeoutSeconds, newApp } from './http-app'
import type { Server, ServerOptions } from './server-contract'

interface ServerParts {
  readonly routes: RouteParts
  readonly inbound: Omit<InboundParts, 'peer' | 'takeSlot' | 'exemptFromIdleTimeout' | 'links'>
  /** Where metrics are shown, when at this address. */
  readonly metrics: MetricsDoor | null
  /** What is served to people; null where it is switched off. */
  readonly web: WebApp | null
  /** The interface for programs that operate the service. */
  readonly admin: AdminApi
  /** Which listener this is: that of operators answers nobody else. */
  readonly door: Door
  /** It is configured to be reached by https: browsers are told to keep to it. */
  readonly isHttps: boolean
  /** Takes in what other processes changed; called before each request. */
  sync(): Promise<void>
}

/** How often bodies are looked at that take long. */
const sweepMs = 1000

/** Pools of clients drop a connection that was idle for four or five seconds: undici, httpx. */
const leavingMs = 6000
const leavingLookMs = 50
/** Connections of slow clients, given to this listener before, are made within that. */
const lingerMs = 3000

const receivedBytes = openReceivedBytes()

/** Opens the HTTP server. @throws Error with code EADDRINUSE when the port is taken */
export function openServer(parts: ServerParts, options: ServerOptions): Server {
  let scarce = false
  let leaving = false
  const app = newApp({
    maxFrameBytes: parts.routes.maxFrameBytes,
    isShared: options.isShared === true,
    routes: targetRoutes({
      answer: (request) => app.handle(request),
      refuse: (error, request) => refuseTarget(error, request),
    }),
  })
  const headless = openHeadless(() => port)
  const refuseTarget = answerAll(app, parts, {
    isScarce: () => scarce,
    isLast: () => leaving,
    headCame: headless?.came,
  })
  app.listen({ hostname: options.host, port: options.port })
  // The runtime's monotonic clocks begin with each process.
  const listenedAt = performance.timeOrigin + performance.now()
  const server = app.server
  if (server === null) throw new Error('the server did not start')
  const sweeping = setInterval(() => sweepBodies(performance.now()), sweepMs)
  sweeping.unref()
  const port = server.port ?? options.port
  const name = options.host.includes(':') ? `[${options.host}]` : options.host
  return {
    url: `http://${name}:${port}`,
    port,
    adminPort: null,
    listenedAt,
    stopListening: () => void server.stop(false),
    async leave({ place = null, isSteered = false, closed = () => {} } = {}) {
      leaving = true
      const isAway = isSteered || (place !== null && steerAway(port, place))
      if (isAway) await Bun.sleep(lingerMs)
      const isShut = shutListener(port)
      closed()
      if (!isShut) return
      const until = performance.now() + leavingMs
      while (connectionsAt(port) > 0 && performance.now() < until) await Bun.sleep(leavingLookMs)
    },
    steer: () => void steerToSecond(port),
    spread: () => spreadAgain(port),
    closeIdle: () => void server.closeIdleConnections(),
    closeHeadless: (missing, share) => headless?.close(missing, share) ?? 0,
    setScarce: (now) => void (scarce = now),
    drop: async () => {
      clearInterval(sweeping)
      await server.stop(true)
    },
  }
}

/** State of connections, for answers, and a sink for heads of requests. */
interface ConnectionWatch extends Pick<Parameters<typeof openFinish>[0], 'isScarce' | 'isLast'> {
  /** Called with each whole head's client port. */
  readonly headCame: ((port: number, at: Ticks) => void) | undefined
}

/**
 * Puts the table's routes and what answers everything else into the app.
 * @returns what answers a request that no route may see
 */
function answerAll(
  app: ReturnType<typeof newApp>,
  parts: ServerParts,
  { headCame, ...ending }: ConnectionWatch,
): (error: GatewayError, request: Request) => Promise<Response> {
  const comesAtOnce = openPipelineGuard()
  /** Requests whose connection ends with their answer. */
  const crowding = new WeakSet<Request>()
  const open = openInbound({
    ...parts.inbound,
    peer(request, arrived) {
      const client = app.server?.requestIP(request) ?? null
      if (client === null) return null
      headCame?.(client.port, arrived)
      if (comesAtOnce(client.port)) crowding.add(request)
      return client.address
    },
    exemptFromIdleTimeout: (request, exempt) =>
      app.server?.timeout(request, exempt ? 0 : idleTimeoutSeconds),
    takeSlot: parts.routes.limits.addressSlots.take,
    links: parts.routes.settings,
  })
  const finish = openFinish({
    timeout: (request, seconds) => app.server?.timeout(request, seconds),
    ...ending,
    isLast: (request) => ending.isLast(request) || crowding.has(request),
    headers: siteHeaders(parts.isHttps),
  })

  const refuse = (thrown: unknown, inbound: Inbound): Promise<Answered> => {
    const error = toGatewayError(thrown)
    parts.routes.observer.refused({ error, caller: null, endpoint: null, held: false }, inbound)
    return finish(refusalResponse(error, inbound, null), inbound)
  }

  const upgrade = openUpgrade(app)
  const answer: AnswerRoute = async (route, request, isAnothers, path) => {
    const inbound = open(request, path)
    let response: Awaited<ReturnType<ApiRoute['serve']>>
    try {
      checkHost(inbound.headers)
      if (path === null) checkPath(inbound.path)
      if (isAnothers?.(inbound.path) === true) throw missing(table, inbound)
      await parts.sync()
      response = await route.serve(parts.routes, inbound, upgrade)
    } catch (thrown) {
      return await refuse(thrown, inbound)
    }
    return finish(response, inbound)
  }

  const nothingHere = async (request: Request): Promise<Answered> => {
    const inbound = open(request)
    const shown = parts.metrics?.(request)
    if (shown) return await finish(await shown, inbound)
    if (request.method === 'OPTIONS' && inbound.path.startsWith('/v1/'))
      return await finish(new Response(null, { status: 204, headers: preflightHeaders }), inbound)
    return await refuse(missing(parts.door === 'public' ? table : [], inbound), inbound)
  }

  if (parts.door === 'public') mountTable(app, answer, parts.web !== null)
  mountPages(app, parts, open, { finish, refuse })
  // Elysia waits for the answer of a hook only when it is written as an asynchronous function.
  app.onError(async ({ code, error, request }) =>
    code === 'NOT_FOUND' ? nothingHere(request) : refuse(toGatewayError(error), open(request)),
  )
  return async (error, request) => (await refuse(error, open(request))) ?? Response.error()
}

const openUpgrade =
  (app: ReturnType<typeof newApp>): Upgrade =>
  (request, data, headers) => {
    const peer = app.server?.requestIP(request) ?? null
    if (app.server?.upgrade(request, { data, headers }) !== true) return false
    if (peer !== null) data.arrived?.(() => receivedBytes?.(peer) ?? null)
    return true
  }

/**
 * @param isAnothers whether a path that the router gave to this route belongs to another one
 * @param path where the route has one, and nobody reads the query
 */
type AnswerRoute = (
  route: ApiRoute,
  request: Request,
  isAnothers: ((path: string) => boolean) | null,
  path: string | null,
) => Promise<Answered>

interface Finishing {
  readonly finish: ReturnType<typeof openFinish>
  refuse(thrown: unknown, inbound: Inbound): Promise<Answered>
}

const pagesApi = '/app/api/'
/** Whether a program asks there, not a person who mistyped an address. */
const isApi = (path: string): boolean => path.startsWith('/admin/') || path.startsWith(pagesApi)

/** Rows of their own for all methods: rows of the table are found first, and cost nothing more. */
function mountPages(
  app: ReturnType<typeof newApp>,
  { web, admin, door, sync }: Pick<ServerParts, 'web' | 'admin' | 'door' | 'sync'>,
  open: ReturnType<typeof openInbound>,
  { finish, refuse }: Finishing,
): void {
  const mount = (paths: readonly string[], answer: AdminApi['answer'] | WebApp['answer']) => {
    const serve = async ({ request }: { readonly request: Request }) => {
      const inbound = open(request)
      try {
        checkHost(inbound.headers)
        inbound.slot.check()
        if (isApi(inbound.path)) checkPath(inbound.path)
        if (inbound.path.startsWith(pagesApi)) checkNumbers(inbound.path)
        await sync()
        return await finish(await answer(request, inbound, door), inbound)
      } catch (thrown) {
        return await refuse(thrown, inbound)
      }
    }
    for (const path of paths) app.all(path, serve, { parse: 'none' })
  }
  mount(['/admin/*'], admin.answer)
  if (web === null) return
  mount(['/', '/app', '/app/*', '/brand/*', '/docs', '/docs/*', '/guide', '/guide/*'], web.answer)
}

/** @param hasWeb the page of the reference stands among those of the guide then */
function mountTable(app: ReturnType<typeof newApp>, answer: AnswerRoute, hasWeb: boolean): void {
  for (const route of table) {
    if (hasWeb && route.path === '/docs') continue
    const isAnothers = otherPaths(table, route)
    const readsQuery = isAnothers !== null || route.method === 'GET'
    const path = readsQuery ? null : route.path
    app.route(
      route.method,
      route.path.replace('*/', ':step/'),
      ({ request }) => answer(route, request, isAnothers, path),
      { parse: 'none' },
    )
  }
}
