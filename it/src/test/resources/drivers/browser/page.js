'use strict';
// What a browser sees of the live page, line by line: "what: JSON".
// Usage: page.js CHROMIUM URL TOKEN REQUEST SCREENSHOT
// REQUEST is the id of a request under way, which is ended.

const { chromium } = require('playwright-core');

const [executablePath, url, token, request, screenshot] = process.argv.slice(2);

function say(what, seen) {
  console.log(`${what}: ${JSON.stringify(seen)}`);
}

// Waits until the page shows another text there, and returns it.
async function changed(page, selector, before) {
  await page.waitForFunction(([where, text]) => {
    const element = document.querySelector(where);
    return element && element.textContent !== text;
  }, [selector, before]);
  return page.textContent(selector);
}

async function look(page) {
  await page.goto(url);
  await page.waitForSelector('#login:not([hidden])');
  say('asks for a token', await page.textContent('#state'));
  await page.fill('#token', token);
  await page.click('#login button');
  await page.waitForSelector('#requests tbody tr');
  say('charts', await page.locator('.chart canvas').count());
  say('nodes', await page.locator('#nodes tbody tr').allInnerTexts());
  say('estimate', await page.locator('#shadow tbody tr').allInnerTexts());
  await page.waitForSelector('#statements tbody tr');
  say('statements', await page.locator('#statements tbody tr').allInnerTexts());
  say('clients', await page.locator('#clients-table tbody tr').allInnerTexts());
  say('refusals', await page.locator('#refusals tbody tr').allInnerTexts());

  const state = await page.textContent('#state');
  say('updates', (await changed(page, '#state', state)) !== state);

  const bar = `tr:has(button[data-request="${request}"]) progress`;
  const before = Number(await page.getAttribute(bar, 'value'));
  await page.waitForFunction(([where, value]) => {
    const element = document.querySelector(where);
    return element && Number(element.getAttribute('value')) > value;
  }, [bar, before]);
  say('progresses', true);
  if (screenshot) {
    await page.screenshot({ path: screenshot });
  }

  await page.click(`button[data-request="${request}"]`);
  say('ends', await changed(page, '#kill', ''));
  await page.waitForSelector(`button[data-request="${request}"]`, { state: 'detached' });
  say('is gone', true);

  await page.click('[data-mode="passthrough"]');
  await page.waitForSelector('[data-mode="passthrough"][aria-pressed="true"]');
  say('mode', 'passthrough');
  await page.waitForFunction(() => document.querySelector('#mode-note').textContent.startsWith('Back to'));
  say('back', await page.textContent('#mode-note'));
  await page.click('[data-mode="observe"]');
  await page.waitForSelector('[data-mode="observe"][aria-pressed="true"]');
  say('mode again', 'observe');

  for (const colorScheme of ['dark', 'light']) {
    await page.emulateMedia({ colorScheme });
    say(colorScheme, await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
  }
  await page.setViewportSize({ width: 360, height: 640 });
  await page.waitForTimeout(500);
  say('wider than a phone', await page.evaluate(() => [...document.querySelectorAll('body *')]
    .filter((each) => !each.closest('.scroll') && each.getBoundingClientRect().right > innerWidth)
    .map((each) => each.tagName + ' ' + each.className + ' ' + each.id)));
}

(async () => {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage({ viewport: { width: 1100, height: 1000 } });
    page.setDefaultTimeout(30000);
    const hosts = new Set();
    const errors = [];
    page.on('request', (each) => hosts.add(new URL(each.url()).host));
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (line) => line.text().includes('Content Security Policy') && errors.push(line.text()));
    try {
      await look(page);
    } finally {
      say('hosts', [...hosts].filter((host) => host !== ''));
      say('errors', errors);
    }
  } finally {
    await browser.close();
  }
})().catch((error) => {
  console.error(String(error));
  process.exit(1);
});
