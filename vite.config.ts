import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { readGuide } from './web/lib/markdown/read-guide.ts'

/** What the console and the phone app need. */
const REACT = /node_modules\/(react|react-dom|scheduler)\//

/** What every page of the console needs, with the icons of the pages before sign-in, so that these need not fetch all icons. */
const BASE = new RegExp(
  [
    'node_modules/(react-router|cookie)/',
    '@tabler/icons-react/dist/esm/\\w+\\.mjs$',
    `/Icon(${[
      'AlertTriangle|BrandGooglePlay|Check|DeviceMobile|Eye|EyeOff|HandStop|Help|InfoCircle|MicrophoneOff|Moon',
      'ChartLine|Microphone2|PhoneCall|PlayerPlay|Refresh|School|Search|Sun|X',
      // web/app/pages.ts names them, which the redirects need before sign-in too.
      'Cloud|DeviceMobileCog|Door|Download|Headset|LayoutDashboard|UserCog|Users|UsersGroup',
    ].join('|')})\\.mjs$`,
  ].join('|'),
)

export default defineConfig({
  root: 'web',
  cacheDir: '../node_modules/.vite',
  plugins: [react(), markdown(), precompress()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: false,
    target: 'es2022',
    // Tells the server which files a page needs, so that it can name them in the page itself.
    manifest: true,
    // The pages' policy lets no data: URL be a font or a script, so every asset is a hashed file.
    assetsInlineLimit: 0,
    rolldownOptions: {
      // The console, the phone app, and the frame of the phone app in which Zoom's code runs.
      input: { index: 'web/index.html', phone: 'web/phone/index.html', meeting: 'web/meeting/index.html' },
      output: {
        codeSplitting: {
          groups: [
            // They change less often than our own code.
            { name: 'react', test: REACT, priority: 3 },
            { name: 'base', test: BASE, priority: 2 },
            // Each icon alone is a file of 200 bytes: all others that we use are one small file.
            { name: 'icons', test: /node_modules\/@tabler\//, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    allowedHosts: ['.localhost'],
    proxy: { '/api': 'http://127.0.0.1:3000' },
  },
})

/** Reads the guides of docs/ at build time, so that the browser needs no Markdown parser. */
function markdown(): Plugin {
  return {
    name: 'markdown',
    async load(id) {
      if (!id.endsWith('.md')) return null
      const guide = readGuide(await readFile(id, 'utf8'))
      return { code: `export default ${JSON.stringify(guide)}`, moduleType: 'js' }
    },
  }
}

/** Compresses the built files once and at the highest level, so that the server sends ready bytes. */
function precompress(): Plugin {
  const WORTH_IT = 1024
  const forms = { br: promisify(brotliCompress), gz: promisify(gzip) }
  let folder = ''

  async function compress(file: string) {
    const content = await readFile(file)
    if (content.length < WORTH_IT) return
    for (const [ending, squeeze] of Object.entries(forms)) await writeFile(`${file}.${ending}`, await squeeze(content))
  }

  return {
    name: 'precompress',
    apply: 'build',
    configResolved({ root, build }) {
      folder = resolve(root, build.outDir)
    },
    async closeBundle() {
      if (this.meta.watchMode) return // while developing, a quick build matters more
      const files = await readdir(folder, { recursive: true })
      const texts = files.filter((file) => /\.(js|css|svg|webmanifest)$/.test(file))
      await Promise.all(texts.map((file) => compress(join(folder, file))))
    },
  }
}
