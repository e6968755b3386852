type AttributeValue = string | number | boolean

/** A span as a collector took it. */
export interface TakenSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parent: string | null
  readonly name: string
  readonly kind: 'server' | 'client'
  readonly startMs: number
  readonly endMs: number
  readonly failed: boolean
  readonly attributes: Readonly<Record<string, AttributeValue>>
}

/** A collector on loopback that speaks OTLP over HTTP as JSON. */
export interface Collector {
  readonly url: string
  readonly spans: readonly TakenSpan[]
  /** Everything it was sent, as it was written. */
  readonly texts: readonly string[]
  readonly requests: readonly Request[]
  readonly resource: Readonly<Record<string, AttributeValue>>
  /** Waits until so many spans came. @throws Error when they do not come in ten seconds */
  until(count: number): Promise<readonly TakenSpan[]>
  close(): Promise<void>
}

interface WireAttribute {
  readonly key: string
  readonly value: {
    readonly stringValue?: string
    readonly intValue?: number
    readonly doubleValue?: number
    readonly boolValue?: boolean
  }
}

interface WireSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly status: { readonly code: number }
  readonly attributes: readonly WireAttribute[]
}

interface WireTraces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly WireAttribute[] }
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[]
  }[]
}

export function openCollector(answer: () => Response | Promise<Response> = taken): Collector {
  const spans: TakenSpan[] = []
  const texts: string[] = []
  const requests: Request[] = []
  let resource: Collector['resource'] = {}
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 255,
    async fetch(request) {
      requests.push(request)
      const bytes = new Uint8Array(await request.arrayBuffer())
      const zipped = request.headers.get('content-encoding') === 'gzip'
      const text = new TextDecoder().decode(zipped ? Bun.gunzipSync(bytes) : bytes)
      const response = await answer()
      if (!response.ok) return response
      texts.push(text)
      for (const each of (JSON.parse(text) as WireTraces).resourceSpans) {
        resource = attributesOf(each.resource.attributes)
        spans.push(...each.scopeSpans.flatMap((scope) => scope.spans.map(takenSpan)))
      }
      return response
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    spans,
    texts,
    requests,
    get resource() {
      return resource
    },
    async until(count) {
      for (let tries = 0; spans.length < count; tries++) {
        if (tries === 2000) throw new Error(`only ${spans.length} of ${count} spans came`)
        await Bun.sleep(5)
      }
      return spans
    },
    close: () => server.stop(true),
  }
}

// As a number it would lose digits.
const msOf = (nanos: string): number => Number(BigInt(nanos) / 1_000_000n)

const taken = (): Response => Response.json({})

function takenSpan(span: WireSpan): TakenSpan {
  if (span.kind !== 2 && span.kind !== 3) throw new Error(`a span of kind ${span.kind}`)
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    parent: span.parentSpanId ?? null,
    name: span.name,
    kind: span.kind === 2 ? 'server' : 'client',
    startMs: msOf(span.startTimeUnixNano),
    endMs: msOf(span.endTimeUnixNano),
    failed: span.status.code === 2,
    attributes: attributesOf(span.attributes),
  }
}

const attributesOf = (attributes: readonly WireAttribute[]): Collector['resource'] =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.intValue ?? value.doubleValue ?? value.boolValue ?? 'odd',
    ]),
  )
