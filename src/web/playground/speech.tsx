import { NativeSelect, Stack, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { AudioPlayer } from './audio-player'
import { CallCost } from './call-cost'
import type { CallPlaceProps } from './chat'
import { CallForm, useOneCall } from './one-call'
import { OneModelChoice, useOneModel } from './one-model'
import { makeSpeech } from './own-calls'

const maxCharacters = 4096
/** Those with a head that says what they are. */
const heard = ['mp3', 'wav', 'aac', 'flac', 'opus']

/** Playground of speech: a text, spoken. */
export function Speech({ keyId, asked, onCost }: CallPlaceProps) {
  const t = useTranslations('speaking')
  const chosen = useOneModel(keyId, 'audio_tts', asked)
  const [input, setInput] = useState('')
  const [typedVoice, setVoice] = useState('')
  const [typedFormat, setFormat] = useState('')
  const { voices = [], formats = [] } = chosen.model?.choices ?? {}
  const sold = heard.filter((each) => formats.length === 0 || formats.includes(each))
  const format = sold.includes(typedFormat) ? typedFormat : (sold[0] ?? 'mp3')
  const isKnown = voices.length === 0 || voices.includes(typedVoice)
  const voice = isKnown ? typedVoice.trim() : (voices[0] ?? '')
  const call = useOneCall(
    keyId,
    (own) => makeSpeech({ model: chosen.id ?? '', input, voice, response_format: format }, own),
    onCost,
  )
  return (
    <Stack gap="md">
      <CallForm call={call} canSend={chosen.model !== null && input.trim() !== '' && voice !== ''}>
        <OneModelChoice keyId={keyId} family="audio_tts" chosen={chosen} />
        <Textarea
          label={t('text')}
          description={t('textHint')}
          value={input}
          maxLength={maxCharacters}
          onChange={(event) => setInput(event.currentTarget.value)}
          rows={4}
          classNames={{ input: 'any-script' }}
        />
        <div className="filters">
          {voices.length > 0 ? (
            <NativeSelect
              label={t('voice')}
              value={voice}
              onChange={(event) => setVoice(event.currentTarget.value)}
              data={[...voices]}
            />
          ) : (
            <TextInput
              label={t('voice')}
              description={t('voiceHint')}
              value={typedVoice}
              maxLength={256}
              onChange={(event) => setVoice(event.currentTarget.value)}
              autoComplete="off"
            />
          )}
          <NativeSelect
            label={t('format')}
            value={format}
            onChange={(event) => setFormat(event.currentTarget.value)}
            data={sold}
          />
        </div>
      </CallForm>
      {call.made !== null && (
        <section className="card panel">
          <AudioPlayer
            key={call.made.requestId}
            file={call.made.file}
            name={`speech.${call.made.format}`}
          />
          <CallCost {...call.made} />
        </section>
      )}
    </Stack>
  )
}
