import type { RequestId } from '../../../src/domain/ids'
import type { Frame, SocketSink } from '../../../src/gateway/net/socket'
import { noLinks } from '../../../src/errors/links'
import { openErrorEvents } from '../../../src/gateway/endpoints/realtime/error-event'
import { openSession } from '../../../src/gateway/endpoints/realtime/session'
import type { SessionParts } from '../../../src/gateway/endpoints/realtime/session-parts'
import type { RunningStream } from '../../../src/gateway/call/running'

/** A session between two sides that only remember what was done with them. */
/** Everything that waits for nothing else is done. */
export const turnOver = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

export function playSession(
  own: { checkCaller?: () => void; checkService?: () => void; maxFrameBytes?: number } = {},
) {
  const log = { client: [] as string[], vendor: [] as string[], bill: [] as string[] }
  let running: RunningStream | null = null
  let sink: SocketSink | null = null
  const state = { waiting: 0, answering: 0, send: 1 }
  const parts: SessionParts = {
    streams: {
      add: (stream) => void (running = stream),
      remove: () => void (running = null),
      count: () => 0,
      finishAll: () => {},
      cutAll: () => {},
      stop: () => false,
      close: () => {},
    },
    request: 'req_1' as RequestId,
    vendor: {
      listen: (to) => void (sink = to),
      send: (frame: Frame) => void log.vendor.push(String(frame)),
      waiting: () => state.waiting,
      pause: () => void log.vendor.push('(pause)'),
      resume: () => void log.vendor.push('(resume)'),
      ping: () => void log.vendor.push('(ping)'),
      close: (code) => void log.vendor.push(`(close ${code})`),
    },
    bill: {
      passed: () => {},
      heard: () => 0,
      began: () => void state.answering++,
      answering: () => state.answering,
      billed: () => void state.answering--,
      cover: () => {},
      coverDue: () => false,
      close: ({ status, error }) => void log.bill.push(`${status} ${error?.code ?? ''}`.trim()),
    },
    transcriptions: {
      choose: async (model) => model,
      chosen: () => {},
      committed: () => {},
      passed: () => {},
      done: () => {},
      cover: () => {},
      close: () => {},
    },
    changes: () => null,
    policy: {
      checkCaller: own.checkCaller ?? (() => {}),
      checkService: own.checkService ?? (() => {}),
      takeRequest: async () => {},
      transcribeBy: async (model) => model,
    },
    errors: openErrorEvents({
      requestId: 'req_1' as RequestId,
      headers: new Headers({ 'accept-language': 'en' }),
      links: noLinks,
    }),
    maxFrameBytes: own.maxFrameBytes ?? 1000,
    onFault: () => {},
  }
  const session = openSession(parts)
  const client = {
    send: (frame: Frame) => {
      log.client.push(String(frame))
      return state.send
    },
    pause: () => void log.client.push('(pause)'),
    resume: () => void log.client.push('(resume)'),
    ping: () => void log.client.push('(ping)'),
    close: (code: number, reason: string) => void log.client.push(`(close ${code} ${reason})`),
    terminate: () => void log.client.push('(terminate)'),
  }
  session.open(client)
  return {
    ...log,
    state,
    hear: (frame: Frame) => session.message(client, frame),
    /** Same, until it was looked at. */
    async say(frame: Frame): Promise<void> {
      session.message(client, frame)
      await turnOver()
    },
    vendorSays: (frame: string) => sink?.frame(frame),
    vendorPongs: () => sink?.pong(),
    pong: () => session.pong(client),
    drain: () => session.drain(client),
    vendorCloses: (code: number) => sink?.closed(code, ''),
    leave: (code: number) => session.close(client, code, ''),
    ticks(count: number, between = () => {}) {
      for (let at = 0; at < count; at++) {
        running?.tick()
        between()
      }
    },
    finish: () => running?.finish?.(),
    cut: () => running?.cut(),
    isRunning: () => running !== null,
  }
}
