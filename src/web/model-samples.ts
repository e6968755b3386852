import { samples, type Sample, type SampleFacts } from './samples'
import type { Family } from './model-families'

/** JSON body of a sample call, beside the model. */
interface JsonCall {
  /** Below the base address. */
  readonly path: string
  readonly body: string
  /** Behind the command: what becomes of the answer. */
  readonly into?: string
}

const jsonCurl = ({ path, body, into = '' }: JsonCall): Sample => ({
  name: 'curl',
  text: ({ baseUrl, key, model }) => `curl ${baseUrl}${path} \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "${model}", ${body}}'${into}`,
})

const python = (lines: (facts: SampleFacts) => string): Sample => ({
  name: 'Python',
  text: (facts) => `# pip install openai
from openai import OpenAI

client = OpenAI(base_url="${facts.baseUrl}", api_key="${facts.key}")
${lines(facts)}`,
})

const node = (lines: (facts: SampleFacts) => string, imports = ''): Sample => ({
  name: 'Node',
  text: (facts) => `// npm install openai
import OpenAI from "openai";
${imports}
const client = new OpenAI({ baseURL: "${facts.baseUrl}", apiKey: "${facts.key}" });
${lines(facts)}`,
})

const files = 'import fs from "node:fs";\n'

const embedding: readonly Sample[] = [
  jsonCurl({ path: '/embeddings', body: '"input": "سلام"' }),
  python(
    ({ model }) => `answer = client.embeddings.create(model="${model}", input="سلام")
print(len(answer.data[0].embedding))`,
  ),
  node(
    ({
      model,
    }) => `const answer = await client.embeddings.create({ model: "${model}", input: "سلام" });
console.log(answer.data[0].embedding.length);`,
  ),
]

const image: readonly Sample[] = [
  jsonCurl({ path: '/images/generations', body: '"prompt": "یک سیب سرخ"' }),
  python(
    ({ model }) => `import base64

answer = client.images.generate(model="${model}", prompt="یک سیب سرخ")
with open("apple.png", "wb") as file:
    file.write(base64.b64decode(answer.data[0].b64_json))`,
  ),
  node(
    ({
      model,
    }) => `const answer = await client.images.generate({ model: "${model}", prompt: "یک سیب سرخ" });
fs.writeFileSync("apple.png", Buffer.from(answer.data[0].b64_json, "base64"));`,
    files,
  ),
]

const speech: readonly Sample[] = [
  jsonCurl({
    path: '/audio/speech',
    body: '"voice": "alloy", "input": "سلام دنیا"',
    into: ' -o salam.mp3',
  }),
  python(
    ({ model }) => `with client.audio.speech.with_streaming_response.create(
    model="${model}", voice="alloy", input="سلام دنیا"
) as answer:
    answer.stream_to_file("salam.mp3")`,
  ),
  node(
    ({ model }) => `const answer = await client.audio.speech.create({
  model: "${model}", voice: "alloy", input: "سلام دنیا",
});
fs.writeFileSync("salam.mp3", Buffer.from(await answer.arrayBuffer()));`,
    files,
  ),
]

const transcription: readonly Sample[] = [
  {
    name: 'curl',
    text: ({ baseUrl, key, model }) => `curl ${baseUrl}/audio/transcriptions \\
  -H "Authorization: Bearer ${key}" \\
  -F model=${model} -F file=@talk.mp3`,
  },
  python(
    ({ model }) => `with open("talk.mp3", "rb") as file:
    answer = client.audio.transcriptions.create(model="${model}", file=file)
print(answer.text)`,
  ),
  node(
    ({ model }) => `const answer = await client.audio.transcriptions.create({
  model: "${model}", file: fs.createReadStream("talk.mp3"),
});
console.log(answer.text);`,
    files,
  ),
]

const video: readonly Sample[] = [
  jsonCurl({ path: '/videos', body: '"prompt": "برف بر دماوند", "seconds": "4"' }),
  python(
    ({ model }) => `video = client.videos.create_and_poll(model="${model}", prompt="برف بر دماوند")
client.videos.download_content(video.id).write_to_file("snow.mp4")`,
  ),
  node(
    ({ model }) => `let video = await client.videos.create({
  model: "${model}", prompt: "برف بر دماوند", seconds: "4",
});
while (video.status !== "completed" && video.status !== "failed") {
  await new Promise((wait) => setTimeout(wait, 10_000));
  video = await client.videos.retrieve(video.id);
}
const film = await client.videos.downloadContent(video.id);
fs.writeFileSync("snow.mp4", Buffer.from(await film.arrayBuffer()));`,
    files,
  ),
]

const music: readonly Sample[] = [
  jsonCurl({ path: '/audio/music', body: '"prompt": "تار و دف، آرام"', into: ' -o tar.mp3' }),
]

const moderation: readonly Sample[] = [
  jsonCurl({ path: '/moderations', body: '"input": "سلام"' }),
  python(
    ({ model }) => `answer = client.moderations.create(model="${model}", input="سلام")
print(answer.results[0].flagged)`,
  ),
  node(
    ({
      model,
    }) => `const answer = await client.moderations.create({ model: "${model}", input: "سلام" });
console.log(answer.results[0].flagged);`,
  ),
]

const realtime: readonly Sample[] = [
  {
    name: 'Node',
    text: ({ baseUrl, key, model }) => `// npm install ws
import Socket from "ws";

const talk = new Socket("${baseUrl.replace(/^http/, 'ws')}/realtime?model=${encodeURIComponent(model)}", {
  headers: { Authorization: "Bearer ${key}" },
});
talk.on("open", () => talk.send(JSON.stringify({ type: "response.create" })));
talk.on("message", (event) => console.log(JSON.parse(event).type));`,
  },
]

/** Samples of calls to a model of each family; names that no language translates. */
export const modelSamples: Readonly<Record<Family, readonly Sample[]>> = {
  chat: samples,
  embedding,
  image,
  audio_tts: speech,
  audio_stt: transcription,
  video,
  music,
  moderation,
  realtime,
}
