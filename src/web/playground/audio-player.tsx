import { ActionIcon, Group, Text } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useNumbers } from '../numbers'
import { SaveLink } from '../parts/save-link'

interface AudioPlayerProps {
  readonly file: Blob
  /** As it is saved. */
  readonly name: string
}

/**
 * A recording to be heard and saved. The policy of the pages lets no element load a sound; what is
 * here already is decoded and played.
 */
export function AudioPlayer({ file, name }: AudioPlayerProps) {
  const t = useTranslations()
  const sound = useDecoded(file)
  return (
    <>
      {sound === 'unplayable' ? (
        <Text size="sm" role="status">
          {t('speaking.unplayable')}
        </Text>
      ) : (
        sound !== null && <Player sound={sound} />
      )}
      <Group mt="xs">
        <SaveLink file={file} name={name}>
          {t('playground.save')}
        </SaveLink>
      </Group>
    </>
  )
}

const anyRate = 44_100

/** @returns null as long as it is being decoded */
function useDecoded(file: Blob): AudioBuffer | 'unplayable' | null {
  const [sound, setSound] = useState<AudioBuffer | 'unplayable' | null>(null)
  useEffect(() => {
    let isWanted = true
    const decode = async () => {
      // One that plays would have to wait for a click.
      const context = new OfflineAudioContext(1, 1, anyRate)
      return await context.decodeAudioData(await file.arrayBuffer())
    }
    decode().then(
      (decoded) => isWanted && setSound(decoded),
      () => isWanted && setSound('unplayable'),
    )
    return () => void (isWanted = false)
  }, [file])
  return sound
}

const tickMs = 100

function Player({ sound }: { readonly sound: AudioBuffer }) {
  const t = useTranslations('speaking')
  const { digits } = useNumbers()
  const { isPlaying, position, play, pause, seek } = usePlayback(sound)
  const clock = (seconds: number) =>
    digits(`${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`)
  return (
    <div className="player" dir="ltr">
      <ActionIcon
        size="xl"
        radius="xl"
        onClick={isPlaying ? pause : play}
        aria-label={t(isPlaying ? 'pause' : 'play')}
      >
        {isPlaying ? <IconPlayerPause size={20} /> : <IconPlayerPlay size={20} />}
      </ActionIcon>
      <input
        type="range"
        min={0}
        max={sound.duration}
        step={0.1}
        value={position}
        onChange={(event) => seek(Number(event.currentTarget.value))}
        aria-label={t('position')}
        aria-valuetext={clock(position)}
      />
      <Text size="sm" className="soft number">
        {clock(position)} / {clock(sound.duration)}
      </Text>
    </div>
  )
}

interface Playback {
  readonly isPlaying: boolean
  /** In seconds. */
  readonly position: number
  play(): void
  pause(): void
  seek(seconds: number): void
}

function usePlayback(sound: AudioBuffer): Playback {
  const [position, setPosition] = useState(0)
  const [isPlaying, setPlaying] = useState(false)
  const output = useRef<AudioContext | null>(null)
  const source = useRef<AudioBufferSourceNode | null>(null)
  const begun = useRef({ at: 0, from: 0 })
  const silence = () => {
    const playing = source.current
    source.current = null
    playing?.stop()
  }
  const begin = (from: number) => {
    const context = (output.current ??= new AudioContext())
    const node = context.createBufferSource()
    node.buffer = sound
    node.connect(context.destination)
    node.addEventListener('ended', () => {
      // Or it was stopped, for a pause or another place.
      if (source.current !== node) return
      source.current = null
      setPlaying(false)
      setPosition(0)
    })
    node.start(0, from)
    source.current = node
    begun.current = { at: context.currentTime, from }
    void context.resume()
  }
  useEffect(() => {
    if (!isPlaying) return
    const timer = setInterval(() => {
      const { at, from } = begun.current
      const now = from + (output.current?.currentTime ?? at) - at
      setPosition(Math.min(now, sound.duration))
    }, tickMs)
    return () => clearInterval(timer)
  }, [isPlaying, sound])
  useEffect(
    () => () => {
      silence()
      void output.current?.close()
    },
    [],
  )
  return {
    isPlaying,
    position,
    play() {
      begin(position < sound.duration ? position : 0)
      setPlaying(true)
    },
    pause() {
      silence()
      setPlaying(false)
    },
    seek(seconds) {
      setPosition(seconds)
      if (!isPlaying) return
      silence()
      begin(seconds)
    },
  }
}
