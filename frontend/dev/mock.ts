/** A Home Assistant that answers Bellboard's commands with samples. */

import type { Hass } from "../src/ha";
import type { Line } from "../src/api/models";
import * as samples from "./samples";

export interface Wanted {
  language: string;
  isEmpty: boolean;
  isFailing: boolean;
  hasWords: boolean;
  perSecond: number;
}

type Message = { type: string; [key: string]: unknown };

export function mockHass(wanted: Wanted): Hass {
  const listeners = new Set<(line: Line) => void>();
  const lines = wanted.isEmpty ? [] : samples.lines(60, wanted.hasWords);
  let lessons = wanted.isEmpty ? [] : samples.lessons();
  let planned = wanted.isEmpty ? [] : samples.planned();
  let habits = wanted.isEmpty ? [] : samples.habits();

  const add = (line: Line) => {
    const at = lines.findIndex((each) => each.id === line.id);
    if (at < 0) lines.push(line);
    else lines[at] = line;
    listeners.forEach((listener) => listener(line));
  };
  const correct = (id: unknown) => {
    const line = lines.find((each) => each.id === id);
    if (line) add({ ...line, is_corrected: true });
  };
  if (wanted.perSecond) {
    let number = 1000;
    setInterval(() => add(samples.line(number++, Date.now() / 1000, wanted.hasWords)), 1000 / wanted.perSecond);
  }

  const answers: Record<string, (message: Message) => unknown> = {
    assistants: () => ({ assistants: samples.assistants }),
    turn: ({ turn_id }) => {
      const line = lines.find((each) => each.id === turn_id);
      if (!line) throw { code: "turn_gone", message: "This turn is no longer kept." };
      return samples.turn(line);
    },
    read: ({ text }) => samples.reading(String(text)),
    try: (message) => samples.trial(String(message["text"]), message),
    choices: () => samples.choices,
    "correct/mark": ({ turn_id }) => correct(turn_id),
    "correct/learn": ({ turn_id, action, for_all }) => {
      if (action === "toggle") throw { message: "The devices cannot do that." };
      correct(turn_id);
      return { assistants: for_all ? 2 : 1 };
    },
    "correct/alias": ({ turn_id }) => correct(turn_id),
    "correct/case": ({ turn_id }) => {
      correct(turn_id);
      return { case: "turn-1", file: "bellboard_cases.yaml" };
    },
    agents: () => ({ agents: samples.agents }),
    policies: () => samples.policies(wanted.isEmpty),
    "policies/reload": () => samples.policies(wanted.isEmpty),
    "policies/check": ({ text }) => samples.checked(String(text)),
    "policies/save": ({ text }) => ({ ...samples.policies(false), text, revision: String(text).length.toString(), error: null }),
    "policies/try": (message) => ({ verdicts: samples.verdicts(message) }),
    health: () => ({ connections: wanted.isEmpty ? [] : samples.health() }),
    planned: () => ({ planned }),
    "planned/cancel": ({ planned_id }) => {
      planned = planned.filter((each) => each.id !== planned_id);
      return { canceled: true };
    },
    evaluation: ({ path }) => samples.evaluation(String(path), wanted.isEmpty),
  };

  const actions: Record<string, (data: Record<string, unknown>) => unknown> = {
    learned: () => ({ learned: lessons }),
    forget_learned: ({ text }) => {
      lessons = text ? lessons.filter((each) => each.sentence !== text) : [];
      return { forgotten: 1 };
    },
    habits: () => ({ habits }),
    clear_habits: () => {
      habits = [];
      return { cleared: 1 };
    },
  };

  const soon = async () => {
    await new Promise((resolve) => setTimeout(resolve, 30));
    if (wanted.isFailing) throw { code: "unknown_error", message: "The house does not answer." };
  };

  return {
    language: wanted.language,
    locale: { language: wanted.language, number_format: "language", time_format: "language" },
    connected: true,
    config: { time_zone: "Europe/Berlin", currency: "EUR" },
    user: { id: "user-anna", name: "Anna", is_admin: true },
    areas: samples.areas,
    devices: { d1: { id: "d1", area_id: "kitchen" } },
    states: samples.states,
    services: {
      bellboard: { habits: {}, learned: {} },
      light: { turn_on: {}, turn_off: {} },
      climate: { set_temperature: {} },
      lock: { unlock: {}, lock: {} },
    },
    async callWS<T>(message: Message): Promise<T> {
      await soon();
      if (message.type === "config/auth/list") return samples.users as T;
      if (message.type === "conversation/process") {
        add(samples.line(500, Date.now() / 1000, wanted.hasWords));
        return { conversation_id: "c", response: { speech: { plain: { speech: "The kitchen light is on." } } } } as T;
      }
      if (message.type === "call_service") {
        const action = actions[String(message["service"])];
        return { response: action?.(message["service_data"] as Record<string, unknown>) } as T;
      }
      const answer = answers[message.type.replace("bellboard/panel/", "")];
      if (!answer) throw { code: "unknown_command", message: `Unknown command: ${message.type}` };
      return structuredClone(answer(message)) as T;
    },
    connection: {
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
      async subscribeMessage<T>(callback: (message: T) => void, message: Message) {
        await soon();
        if (message.type.endsWith("/turns")) {
          const listener = (line: Line) => callback({ turn: line } as T);
          listeners.add(listener);
          callback({ turns: [...lines] } as T);
          return () => void listeners.delete(listener);
        }
        let isStopped = false;
        void samples.run((event) => !isStopped && callback(event as T), () => isStopped);
        return () => void (isStopped = true);
      },
    },
  };
}
