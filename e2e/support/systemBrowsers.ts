import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const ON_PATH = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const MAC_APPS = [
  'Google Chrome.app/Contents/MacOS/Google Chrome',
  'Chromium.app/Contents/MacOS/Chromium',
  'Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
];
const WINDOWS_APPS = ['Google\\Chrome\\Application\\chrome.exe', 'Chromium\\Application\\chrome.exe'];

/** Returns where a Chromium or a Chrome is installed on this machine, best first. */
export function systemBrowsers(): string[] {
  return [...new Set(placesOf(process.platform))].filter(existsSync);
}

function placesOf(platform: NodeJS.Platform): string[] {
  if (platform === 'win32') {
    const folders = [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA];
    return within(folders, WINDOWS_APPS);
  }
  const searchPath = (process.env.PATH ?? '').split(path.delimiter);
  const onPath = within([...searchPath, '/usr/bin', '/usr/local/bin', '/snap/bin', '/opt/google/chrome'], ON_PATH);
  if (platform !== 'darwin') return onPath;
  return [...within(['/Applications', path.join(os.homedir(), 'Applications')], MAC_APPS), ...onPath];
}

/** Returns every file in every folder, the first file in all folders first. */
function within(folders: readonly (string | undefined)[], files: readonly string[]): string[] {
  const known = folders.filter((folder): folder is string => folder !== undefined && path.isAbsolute(folder));
  return files.flatMap((file) => known.map((folder) => path.join(folder, file)));
}
