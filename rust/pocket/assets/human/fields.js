// The fields of the form, and the card where the capability asks for one.
import { card, element, jsonArtifact, labelled } from "./build.js";

const INPUTS = {
  text: {},
  email: { type: "email", autocomplete: "email", inputMode: "email" },
  number: { type: "number", inputMode: "decimal", step: "any" },
  date: { type: "date" },
  password: { type: "password", autocomplete: "current-password" },
  otp: { inputMode: "numeric", autocomplete: "one-time-code", pattern: "[0-9]{4,10}", maxLength: 10 },
  "card-number": { inputMode: "numeric", autocomplete: "cc-number", maxLength: 23 },
  expiry: { inputMode: "numeric", autocomplete: "cc-exp", maxLength: 7, placeholder: "MM/YY" },
  cvc: { type: "password", inputMode: "numeric", autocomplete: "cc-csc", maxLength: 4 },
};

function input(field) {
  let made;
  if (field.type === "textarea") {
    made = element("textarea", { rows: 4 });
  } else if (field.type === "select") {
    const choices = field.options.map((option) => element("option", { value: option.value }, option.label));
    made = element("select", {}, element("option", { value: "" }, field.placeholder || "Choose…"), ...choices);
  } else {
    made = element("input", { type: "text", autocapitalize: "off", spellcheck: false, ...INPUTS[field.type] });
  }
  if (field.placeholder && field.type !== "select") made.placeholder = field.placeholder;
  if (field.autocomplete) made.setAttribute("autocomplete", field.autocomplete);
  made.required = field.required;
  return made;
}

function check(field, made) {
  const value = made.value.trim();
  if (field.required && value === "") return `${field.label} is required.`;
  if (value !== "" && !made.checkValidity()) {
    return field.type === "otp" ? `${field.label} must have 4 to 10 digits.` : `${field.label}: ${made.validationMessage}`;
  }
  return "";
}

// What the form yields: nothing, or {error}, or {artifact}.
function collect(data, rows) {
  const values = {};
  for (const [field, made] of rows) {
    const wrong = check(field, made);
    if (wrong) {
      made.focus();
      return { error: wrong };
    }
    if (made.value.trim() !== "") values[field.artifactKey] = made.value.trim();
  }
  if (Object.keys(values).length === 0) return {};
  const kind = data.form.artifactKind === "auto" ? "form" : data.form.artifactKind;
  const both = { fields: values, form_data: values };
  const artifact = { kind, capability: data.capability, capturedAt: new Date().toISOString(), templateId: data.form.templateId };
  return { artifact: jsonArtifact({ ...artifact, ...both }) };
}

export function fields(data) {
  const rows = data.form.fields.map((field) => [field, input(field)]);
  const shown = rows.map(([field, made]) => labelled(field.required ? `${field.label} *` : field.label, made, field.helperText));
  return { element: rows.length > 0 ? card("", ...shown) : null, collect: () => collect(data, rows) };
}

const CARD = [
  ["cardNumber", "Card number", "card-number"],
  ["expiry", "Expires", "expiry"],
  ["cvc", "CVC", "cvc"],
  ["zip", "Postal code", "text"],
];

// The card block, for payments whose form has no fields of its own.
export function payment(data) {
  if (data.capability !== "payment" || data.form.fields.length > 0) {
    return { element: null, collect: () => ({}) };
  }
  const rows = CARD.map(([key, label, type]) => {
    const field = { label, type, required: key !== "zip", placeholder: "", autocomplete: key === "zip" ? "postal-code" : "" };
    return [key, field, input(field)];
  });
  const shown = rows.map(([, field, made]) => labelled(field.label, made));
  return {
    element: card("Card", shown[0], element("div", { class: "row" }, shown[1], shown[2]), shown[3]),
    collect: () => {
      const values = {};
      for (const [key, field, made] of rows) {
        const wrong = check(field, made);
        if (wrong) {
          made.focus();
          return { error: wrong };
        }
        values[key] = made.value.trim();
      }
      values.cardNumber = values.cardNumber.replace(/[\s-]/g, "");
      if (!/^[0-9]{12,19}$/.test(values.cardNumber)) return { error: "Card number must have 12 to 19 digits." };
      const artifact = { kind: "payment_card_v1", capability: data.capability, capturedAt: new Date().toISOString() };
      return { artifact: jsonArtifact({ ...artifact, ...values }) };
    },
  };
}
