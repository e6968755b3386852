import { Elysia } from 'elysia'
import type { targetRoutes } from '../../gateway/http/request-target'

/**
 * Quiet time after which a connection is closed, also one that waits for an answer. A vendor may
 * take less than this for its first byte, and a stream is never quiet for longer than a keep-alive.
 */
export const idleTimeoutSeconds = 255

/** Frames that wait for a slow client. */
const maxUnreadBytes = 67_108_864

interface AppParts {
  /** Half a frame is kept by the runtime, unseen by us: up to this, for each socket. */
  readonly maxFrameBytes: number
  /** Several processes listen at the port. */
  readonly isShared: boolean
  /** For the runtime's own router. */
  readonly routes: ReturnType<typeof targetRoutes>
}

/** The frame that the server's routes are put into, as the runtime is to serve it. */
export const newApp = ({ maxFrameBytes, isShared, routes }: AppParts) =>
  new Elysia({
    normalize: false,
    handler: { standardHostname: false },
    serve: {
      routes,
      reusePort: isShared,
      development: false,
      idleTimeout: idleTimeoutSeconds,
      // Bodies are counted where they are read, so that the refusal has our shape.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    },
    // Elysia hands what happens to a socket to those who gave themselves along with its upgrade.
    websocket: {
      maxPayloadLength: maxFrameBytes,
      // Only a client that neither reads nor closes can come here: senders are paused before.
      backpressureLimit: maxUnreadBytes,
      closeOnBackpressureLimit: true,
      idleTimeout: idleTimeoutSeconds,
      perMessageDeflate: false,
    },
  })
