'use strict';
(() => {
  const byId = id => document.getElementById(id);
  const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const MAX = 3600;
  const MIN_MILLIS = 0.1; // a logarithmic axis has no zero
  let token = sessionStorage.getItem('sluice-token');
  let shownSeconds = 120;
  let moments = [];
  let charts = [];
  let lastData = 0;

  const number = value => value == null ? '–' : value >= 100 ? Math.round(value).toLocaleString('en')
      : String(Math.round(value * 10) / 10);
  const millis = value => value == null ? '–' : value >= 10000 ? number(value / 1000) + ' s' : number(value) + ' ms';
  const headers = () => token ? {Authorization: 'Bearer ' + token} : {};

  function state(text, bad) {
    byId('state').textContent = text;
    byId('state').className = bad ? 'bad' : '';
  }

  // Charts

  function axis(extra) {
    return Object.assign({stroke: css('--faint'), grid: {stroke: css('--line'), width: 1}, ticks: {show: false}}, extra);
  }

  function line(label, color, more) {
    return Object.assign({label, stroke: css(color), width: 2, spanGaps: false, points: {show: false},
      value: (chart, value) => number(value)}, more);
  }

  const withoutWait = c => c.p99 == null ? null : Math.max(MIN_MILLIS, c.p99 - (c.waited || 0));
  const latency = [
    ['point p99', '--point', m => m.point.p99, {}],
    ['point p99 without its wait', '--point', m => withoutWait(m.point), {width: 0}],
    ['point p99 with Sluice, estimated', '--good', m => m.point.estimated, {dash: [8, 4]}],
    ['point p50', '--point', m => m.point.p50, {dash: [4, 4], width: 1}],
    ['range p99', '--range', m => m.range.p99, {}],
    ['range p50', '--range', m => m.range.p50, {dash: [4, 4], width: 1}]];
  const waiting = [{series: [1, 2], color: '--point'}];
  const rate = [
    ['point', '--point', m => m.point.perSecond, {}],
    ['range', '--range', m => m.range.perSecond, {}],
    ['refused', '--bad', m => m.point.refused + m.range.refused, {}]];

  const powersOfTen = (chart, ticks) => ticks.map(t => Number.isInteger(Math.round(Math.log10(t) * 1e6) / 1e6) ? t : null);

  function chart(id, lines, logarithmic) {
    const place = byId(id);
    place.replaceChildren();
    const series = [{}].concat(lines.map(([label, color, , more]) => line(label, color, more)));
    const bands = logarithmic ? waiting.map(band => ({series: band.series, fill: css(band.color) + '50'})) : [];
    const drawn = new uPlot({
      width: place.clientWidth, height: 220, series, bands, cursor: {points: {show: false}},
      scales: {y: logarithmic ? {distr: 3, log: 10} : {range: (c, low, high) => [0, Math.max(1, high * 1.05)]}},
      axes: [axis({}), axis({size: 60, ...(logarithmic ? {filter: powersOfTen} : {}),
        values: (c, ticks) => ticks.map(t => t == null ? '' : number(t))})]
    }, [[]], place);
    return {drawn, lines, logarithmic, place};
  }

  function drawAll() {
    charts = [chart('latency', latency, true), chart('rate', rate, false)];
    redraw();
  }

  function redraw() {
    const shown = moments.slice(-shownSeconds);
    const times = shown.map(m => m.time);
    for (const {drawn, lines, logarithmic} of charts) {
      const values = lines.map(([, , of]) => shown.map(m => {
        const value = of(m);
        return logarithmic && value != null ? Math.max(value, MIN_MILLIS) : value;
      }));
      drawn.setData([times, ...values]);
    }
  }

  // Tables

  function cell(text, kind) {
    const td = document.createElement('td');
    td.textContent = text;
    if (kind) {
      td.className = kind;
    }
    return td;
  }

  function fill(id, rows) {
    byId(id).tBodies[0].replaceChildren(...rows.map(cells => {
      const tr = document.createElement('tr');
      tr.append(...cells);
      return tr;
    }));
  }

  const of = (inFlight, slots) => inFlight == null ? '–' : inFlight + ' of ' + slots;

  function nodes(rows) {
    fill('nodes', rows.map(n => [
      cell(n.node), cell(n.data_center + ' ' + n.rack),
      cell(n.state, n.state === 'normal' ? 'good' : 'bad'), cell(n.agent),
      cell(of(n.point_in_flight, n.slots)), cell(of(n.range_in_flight, n.range_slots)),
      cell(n.point_queued == null ? '–' : n.point_queued + ' + ' + n.range_queued),
      cell(millis(n.backlog_ms))]));
  }

  function progress(r) {
    const td = document.createElement('td');
    if (r.pieces > 1) {
      const bar = document.createElement('progress');
      bar.max = r.pieces;
      bar.value = r.pieces_done;
      bar.title = r.pieces_done + ' of ' + r.pieces + ' pieces';
      td.append(bar);
    }
    return td;
  }

  function endButton(r) {
    const td = document.createElement('td');
    const button = document.createElement('button');
    button.textContent = 'End';
    button.disabled = !token;
    button.dataset.request = r.id;
    button.addEventListener('click', () => end(r.id, button));
    td.append(button);
    return td;
  }

  function requests(rows) {
    const focused = document.activeElement && document.activeElement.dataset.request;
    fill('requests', rows.map(r => [
      cell(r.table_name ? r.keyspace_name + '.' + r.table_name : '–'), cell(r.class), cell(r.role), cell(r.address),
      cell(r.state), cell(millis(r.running_ms)), progress(r),
      cell(r.rows_wanted == null ? String(r.rows) : r.rows + ' of ' + r.rows_wanted), endButton(r)]));
    if (focused) {
      const again = document.querySelector('button[data-request="' + focused + '"]');
      if (again) {
        again.focus();
      }
    }
  }

  async function end(id, button) {
    button.disabled = true;
    const answer = await fetch('requests/' + id + '/end', {method: 'POST', headers: headers()});
    byId('kill').textContent = 'Request ' + id + ': ' + (await answer.text()).trim();
  }

  function shadow(rows) {
    byId('with-sluice').hidden = rows.length === 0;
    const nodes = new Set(rows.map(s => s.node)).size;
    fill('shadow', rows.filter(s => nodes !== 2 || s.node === 'all').map(s => [
      cell(s.node), cell(s.class), cell(number(s.reads)), cell(millis(s.now_p50_ms)), cell(millis(s.estimated_p50_ms)),
      cell(millis(s.now_p99_ms)), cell(millis(s.estimated_p99_ms), 'good'), cell(millis(s.estimated_wait_p99_ms)),
      cell(number(s.estimated_refused))]));
    byId('shadow').querySelectorAll('tbody tr').forEach(tr => tr.classList.toggle('all', tr.cells[0].textContent === 'all'));
  }

  function statements(rows) {
    fill('statements', rows.map(s => {
      const text = cell(s.text, 'text');
      text.title = s.text;
      return [text, cell(s.role), cell(number(s.calls)), cell(millis(s.mean_ms)), cell(millis(s.p99_ms)),
        cell(millis(s.queue_ms)), cell(number(s.errors), s.errors ? 'bad' : '')];
    }));
  }

  function clients(rows) {
    fill('clients-table', rows.map(c => [
      cell(c.address), cell(c.role), cell((c.driver_name || '–') + ' ' + (c.driver_version || '')),
      cell(number(c.in_flight)), cell(number(c.held_bytes / 1024) + ' KiB')]));
  }

  function refusals(rows) {
    fill('refusals', rows.map(q => [
      cell(q.node), cell(q.class), cell(number(q.refused_backlog), q.refused_backlog ? 'bad' : ''),
      cell(number(q.refused_deadline), q.refused_deadline ? 'bad' : ''), cell(number(q.node_overloaded))]));
  }

  // The mode

  function mode(rows, back) {
    const current = rows.length === 0 ? null : rows[0].value.toLowerCase();
    byId('mode').hidden = current == null;
    document.querySelectorAll('.modes button').forEach(each => {
      each.setAttribute('aria-pressed', String(each.dataset.mode === current));
      each.disabled = !token;
    });
    if (back) {
      byId('mode-note').textContent = 'Back to ' + back.to.toLowerCase() + ' in ' + back.seconds + ' s.';
    } else {
      byId('mode-note').textContent = token ? 'A mode that is set here lasts one minute.' : '';
    }
  }

  async function switchTo(wanted) {
    const answer = await fetch('mode/' + wanted, {method: 'POST', headers: headers()});
    byId('mode-note').textContent = (await answer.text()).trim();
  }

  // The stream

  function now(message) {
    const m = message.now;
    lastData = performance.now();
    moments.push(m);
    moments = moments.slice(-MAX);
    byId('point-rate').textContent = number(m.point.perSecond);
    byId('point-p99').textContent = millis(m.point.p99);
    byId('range-rate').textContent = number(m.range.perSecond);
    byId('range-p99').textContent = millis(m.range.p99);
    byId('queued').textContent = m.point.queued + ' + ' + m.range.queued;
    byId('in-flight').textContent = m.point.inFlight + ' + ' + m.range.inFlight;
    byId('refused').textContent = number(m.point.refused + m.range.refused);
    byId('clients').textContent = m.clients;
    nodes(message.nodes);
    requests(message.requests);
    shadow(message.shadow);
    mode(message.mode, message.back);
    if (message.statements) {
      statements(message.statements);
      clients(message.clients);
      refusals(message.refusals);
    }
    redraw();
    const suspect = message.nodes.filter(n => n.state !== 'normal').length;
    state(message.nodes.length + (message.nodes.length === 1 ? ' node' : ' nodes') + (suspect ? ', ' + suspect + ' not normal' : '')
        + ', ' + new Date(m.time * 1000).toLocaleTimeString(), suspect > 0);
  }

  function take(event) {
    const message = JSON.parse(event);
    if (message.history) {
      moments = message.history;
      redraw();
    } else {
      now(message);
    }
  }

  // EventSource cannot send the token.
  async function listen() {
    const answer = await fetch('live', {headers: headers()});
    if (answer.status === 401) {
      byId('login').hidden = false;
      state('the token is missing or wrong', true);
      return false;
    }
    if (!answer.ok) {
      throw new Error((await answer.text()).trim());
    }
    byId('login').hidden = true;
    byId('no-token').hidden = Boolean(token);
    state('connected');
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      const {done, value} = await reader.read();
      if (done) {
        return true;
      }
      const events = (rest + value).split('\n\n');
      rest = events.pop();
      events.forEach(event => take(event.slice('data: '.length)));
    }
  }

  async function follow() {
    for (;;) {
      try {
        if (!await listen()) {
          return;
        }
        state('the proxy has closed the connection', true);
      } catch (e) {
        state('no connection: ' + e.message, true);
      }
      await new Promise(then => setTimeout(then, 2000));
    }
  }

  // Until the cluster is known, there is no data; /readyz has the reason.
  async function whyNoData() {
    if (performance.now() - lastData > 3000 && byId('login').hidden) {
      const answer = await fetch('readyz');
      if (!answer.ok) {
        state((await answer.text()).trim(), true);
      }
    }
  }

  byId('login').addEventListener('submit', event => {
    event.preventDefault();
    token = byId('token').value;
    sessionStorage.setItem('sluice-token', token);
    follow();
  });
  document.querySelectorAll('.spans button').forEach(button => button.addEventListener('click', () => {
    shownSeconds = Number(button.dataset.seconds);
    document.querySelectorAll('.spans button').forEach(each =>
      each.setAttribute('aria-pressed', String(each === button)));
    redraw();
  }));
  document.querySelectorAll('.modes button').forEach(button =>
    button.addEventListener('click', () => switchTo(button.dataset.mode)));
  addEventListener('resize', () => charts.forEach(each =>
    each.drawn.setSize({width: each.place.clientWidth, height: 220})));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
  setInterval(() => whyNoData().catch(() => {}), 3000);
  drawAll();
  follow();
})();
