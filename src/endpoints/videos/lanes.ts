/** Work of several vendors side by side: each has room of its own, so that none waits for another's. */
export interface Lanes<Item> {
  /** Gets in line at its vendor. */
  add(vendor: string, item: Item): void
  /** Begins what there is room for: of each vendor only so many at a time, and so many at each step. */
  step(): void
  /** Whether something waits in a line. */
  waiting(): boolean
}

interface LaneParts<Item> {
  /** Looks that one vendor answers at the same time. */
  readonly mostRunning: number
  /** Looks that begin at one vendor at each step: a crowd is worked off evenly. */
  readonly mostPerStep: number
  /** Never throws. */
  work(item: Item): Promise<void>
}

interface Lane<Item> {
  line: Item[]
  /** How far the line is worked off: taking its first away would move all the rest. */
  next: number
  running: number
}

export function openLanes<Item>({ mostRunning, mostPerStep, work }: LaneParts<Item>): Lanes<Item> {
  const lanes = new Map<string, Lane<Item>>()

  const begin = (lane: Lane<Item>) => {
    for (let begun = 0; begun < mostPerStep && lane.running < mostRunning; begun++) {
      const item = lane.line[lane.next]
      if (item === undefined) break
      lane.next++
      lane.running++
      void work(item).finally(() => lane.running--)
    }
    if (lane.next < lane.line.length && lane.next < 1024) return
    lane.line = lane.line.slice(lane.next)
    lane.next = 0
  }

  return {
    add(vendor, item) {
      let lane = lanes.get(vendor)
      if (lane === undefined) lanes.set(vendor, (lane = { line: [], next: 0, running: 0 }))
      lane.line.push(item)
    },
    step() {
      for (const [vendor, lane] of lanes) {
        begin(lane)
        if (lane.line.length === 0 && lane.running === 0) lanes.delete(vendor)
      }
    },
    waiting: () => lanes.values().some(({ line }) => line.length > 0),
  }
}
