import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: 'web',
  cacheDir: '../node_modules/.vite',
  plugins: [react()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: false,
    target: 'es2022',
    // The pages' policy lets no data: URL be a font or a script, so every asset is a hashed file.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Every page needs these, and they change less often than our own code.
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler|react-router|cookie)\//, priority: 2 },
            // Each icon alone is a file of 200 bytes: all that we use are one small file.
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
