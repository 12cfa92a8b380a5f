"""Prints the reference of the Python package in Markdown, from the docstrings. Reads the sources; imports nothing."""

from __future__ import annotations

import ast
import re
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1] / "python"

SECTION = re.compile(r"^(Args|Returns|Raises|Yields|Attributes|Example|Examples|Note):$")


def source_of(module: str) -> Path:
    path = PACKAGE.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def parsed(module: str) -> ast.Module:
    return ast.parse(source_of(module).read_text(encoding="utf8"))


def exported(tree: ast.Module) -> list[str]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(getattr(t, "id", "") == "__all__" for t in node.targets):
            return [str(name) for name in ast.literal_eval(node.value)]
    return [
        node.name
        for node in tree.body
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_")
    ]


def origins(module: str, tree: ast.Module) -> dict[str, tuple[str, str]]:
    """Names that a module imports from the package: their own module, and their name there."""
    package = module if source_of(module).name == "__init__.py" else module.rpartition(".")[0]
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level > 0:
            base = package.split(".")
            base = base[: len(base) - node.level + 1]
            home = ".".join([*base, *([node.module] if node.module else [])])
            for alias in node.names:
                found[alias.asname or alias.name] = (home, alias.name)
    return found


def find(module: str, name: str) -> tuple[ast.AST, str] | None:
    """The definition of a public name, followed through imports, and its docstring."""
    tree = parsed(module)
    for i, node in enumerate(tree.body):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == name:
            return node, ast.get_docstring(node) or ""
        target = node.target if isinstance(node, ast.AnnAssign) else None
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = node.targets[0]
        if target is not None and getattr(target, "id", None) == name:
            after = tree.body[i + 1] if i + 1 < len(tree.body) else None
            text = after.value.value if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) else ""
            return node, str(text)
    origin = origins(module, tree).get(name)
    if origin is None or source_of(".".join(origin)).exists() or not source_of(origin[0]).exists():
        return None  # a module, which has entries of its own, or another package's
    return find(*origin)


def plain(text: str) -> str:
    """Converts roles and literals of docstrings to Markdown."""
    text = re.sub(r":[a-z]+:`~?\.?([^`]+)`", r"`\1`", text)
    return re.sub(r"``([^`]+)``", r"`\1`", text)


def prose(doc: str) -> str:
    """Converts a Google-style docstring to Markdown. Sections become lists, and examples become code blocks."""
    lines: list[str] = []
    section = ""
    code = False
    # names of arguments may run on into the next line
    for line in re.sub(r"^(    [a-z_]+(?:, [a-z_]+)+,)\n +", r"\1 ", plain(doc), flags=re.MULTILINE).splitlines():
        bare = line.strip()
        if code and bare and not line.startswith("    "):
            lines += ["```", ""]
            code = False
        heading = SECTION.match(line)
        if heading:
            section = heading[1]
            lines += ["", f"**{section}**", ""]
        elif bare.startswith(">>>") or (line.startswith("    ") and not section):
            if not code:
                lines += ["", "```python"]
            code = True
            lines.append(line[4:] if line.startswith("    ") else line)
        elif section in ("Args", "Raises", "Attributes") and re.match(r"^    [^\s].*?: ", line):
            name, _, says = bare.partition(": ")
            lines.append(f"- `{name.replace('`', '')}`: {says}")
        elif section and bare:
            lines.append(("  " if section in ("Args", "Raises", "Attributes") else "") + bare)
        else:
            section = "" if bare else section
            lines.append(bare)
    if code:
        lines.append("```")
    return re.sub(r"\n+```\n", "\n```\n", re.sub(r"\n{3,}", "\n\n", "\n".join(lines)) + "\n").strip()


def signature(node: ast.FunctionDef, name: str, bound: bool) -> str:
    arguments = ast.unparse(node.args)
    if bound:
        arguments = re.sub(r"^(self|cls)(: [^,]+)?(, |$)", "", arguments)
    returns = f" -> {ast.unparse(node.returns)}" if node.returns is not None else ""
    line = f"{name}({arguments}){returns}"
    if len(line) <= 100:
        return line
    pieces = re.split(r", (?![^\[\(]*[\]\)])", arguments)
    return f"{name}(\n" + "".join(f"    {piece},\n" for piece in pieces) + f"){returns}"


def entry(module: str, name: str) -> str:
    found = find(module, name)
    if found is None:
        return ""
    node, doc = found
    parts = [f"### {name} {{#{module.replace('.', '-')}-{name.lower()}}}"]
    if isinstance(node, ast.FunctionDef):
        parts += [f"```python\n{signature(node, name, False)}\n```", prose(doc)]
    elif isinstance(node, ast.ClassDef):
        init = next((n for n in node.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"), None)
        head = f"class {signature(init, name, True).removesuffix(' -> None')}" if init else f"class {name}"
        parts += [f"```python\n{head}\n```", prose(doc)]
        if init is not None and ast.get_docstring(init):
            parts.append(prose(ast.get_docstring(init) or ""))
        for method in node.body:
            if isinstance(method, ast.FunctionDef) and not method.name.startswith("_"):
                text = ast.get_docstring(method)
                if text:
                    parts += [f"```python\n{signature(method, f'{name}.{method.name}', True)}\n```", prose(text)]
    else:
        parts += [f"```python\n{ast.unparse(node)}\n```", prose(doc)]
    return "\n\n".join(part for part in parts if part)


def modules() -> list[str]:
    """The package, its public modules, and two modules that users import by name."""
    named = [f"kessel.{name}" for name in exported(parsed("kessel")) if source_of(f"kessel.{name}").exists()]
    return ["kessel", *named, "kessel.text", "kessel.agent"]


def page() -> str:
    parts = []
    for module in modules():
        tree = parsed(module)
        entries = [text for name in sorted(exported(tree), key=str.lower) if (text := entry(module, name))]
        parts += [f"## {module}", prose(ast.get_docstring(tree) or ""), *entries]
    return "\n\n".join(part for part in parts if part)


print(page())
