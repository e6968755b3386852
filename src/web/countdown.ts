import { useEffect, useState } from 'react'

const tickMs = 500

/** Seconds that are left, and how to begin them anew. */
export function useCountdown(seconds: number): readonly [number, (seconds: number) => void] {
  const [until, setUntil] = useState(() => Date.now() + seconds * 1000)
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (until <= now) return
    const timer = setTimeout(() => setNow(Date.now()), tickMs)
    return () => clearTimeout(timer)
  }, [until, now])
  const begin = (more: number) => {
    setNow(Date.now())
    setUntil(Date.now() + more * 1000)
  }
  return [Math.max(0, Math.ceil((until - now) / 1000)), begin]
}
