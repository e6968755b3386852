import { Anchor, NativeSelect, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useNumbers } from '../numbers'
import { CallCost } from './call-cost'
import type { CallPlaceProps } from './chat'
import { CallForm, useOneCall } from './one-call'
import { OneModelChoice, useOneModel } from './one-model'
import { makePictures } from './own-calls'

const counts = [1, 2, 3, 4] as const

/** Playground of images: a prompt, and its pictures. */
export function Pictures({ keyId, asked, onCost }: CallPlaceProps) {
  const t = useTranslations('pictures')
  const { count } = useNumbers()
  const chosen = useOneModel(keyId, 'image', asked)
  const [prompt, setPrompt] = useState('')
  const [size, setSize] = useState('')
  const [pictures, setPictures] = useState('1')
  const sizes = chosen.model?.choices.sizes ?? []
  const call = useOneCall(
    keyId,
    (own) =>
      makePictures(
        {
          model: chosen.id ?? '',
          prompt: prompt.trim(),
          n: Number(pictures),
          ...(sizes.includes(size) ? { size } : {}),
        },
        own,
      ),
    onCost,
  )
  return (
    <Stack gap="md">
      <CallForm call={call} canSend={chosen.id !== null && prompt.trim() !== ''}>
        <OneModelChoice keyId={keyId} family="image" chosen={chosen} />
        <Textarea
          label={t('prompt')}
          value={prompt}
          onChange={(event) => setPrompt(event.currentTarget.value)}
          rows={3}
          classNames={{ input: 'any-script' }}
        />
        <div className="filters">
          {sizes.length > 0 && (
            <NativeSelect
              label={t('size')}
              value={size}
              onChange={(event) => setSize(event.currentTarget.value)}
              data={[{ value: '', label: t('ownSize') }, ...sizes]}
            />
          )}
          <NativeSelect
            label={t('count')}
            value={pictures}
            onChange={(event) => setPictures(event.currentTarget.value)}
            data={counts.map((each) => ({ value: String(each), label: count(each) }))}
          />
        </div>
      </CallForm>
      {call.made !== null && (
        <section className="card panel">
          <ul className="made-pictures">
            {call.made.urls.map((url, at) => (
              <Made key={at} url={url} number={at + 1} />
            ))}
          </ul>
          <CallCost {...call.made} />
        </section>
      )}
    </Stack>
  )
}

function Made({ url, number }: { readonly url: string; readonly number: number }) {
  const t = useTranslations()
  const ending = /^data:image\/(\w+)/.exec(url)?.[1] ?? 'png'
  return (
    <li>
      <img src={url} alt={t('pictures.made', { number })} />
      <Anchor href={url} download={`picture-${number}.${ending}`} size="sm">
        {t('playground.save')}
      </Anchor>
    </li>
  )
}
