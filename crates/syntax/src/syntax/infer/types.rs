//! Conversion of written types to types under construction.

use super::Inference;
use super::store::{ArenaNode, TypeArena, TypeRef};
use crate::stack::with_stack;
use crate::syntax::data::DataType;
use crate::syntax::library::{Library, Lookup};
use crate::syntax::name::Name;
use crate::syntax::parser;
use crate::syntax::source::Span;
use crate::syntax::surface::{Identifier, TypeExpression, TypeExpressionKind};
use crate::syntax::ty::{Class, Scheme, Ty, TyKind};
use crate::syntax::type_error::TypeError;

/// The names of the basic types.
pub(super) const BASIC_TYPES: [&str; 12] =
    ["Real", "Nat", "Bool", "Unit", "unit", "List", "Tan", "ℜ", "ℝ", "ℕ", "𝔅", "𝔹"];

/// Returns `true` if a name is that of a basic type.
pub(crate) fn is_basic_type(name: &str) -> bool {
    BASIC_TYPES.contains(&name)
}

/// Returns the type scheme of a constant, parsed from the table of constants. Its parameters `A` and `B` get this
/// class.
pub(crate) fn constant_scheme(text: &str, class: Class) -> Scheme {
    let library = Library::new();
    let mut inference = Inference::new(&library, None, text);
    inference.level = 1;
    let names = ["A", "B"].map(|name| Identifier { name: name.into(), span: Span::default() });
    inference.open_parameters(&names);
    let ty = parser::parse_type(text).ok().and_then(|ty| inference.convert_type(&ty).ok());
    // An entry that does not parse would be a mistake in the table, which tests find; the unit type keeps this total.
    let Some(ty) = ty else {
        return Scheme { parameters: Vec::new(), ty: Ty::new(TyKind::Unit) };
    };
    let mut scheme = inference.types.export_scheme(ty, &[]);
    for (_, of) in &mut scheme.parameters {
        *of = class;
    }
    scheme
}

impl Inference<'_> {
    /// Brings type parameters into scope. An inner one hides an outer one of the same name.
    pub(super) fn open_parameters(&mut self, parameters: &[Identifier]) -> Vec<TypeRef> {
        let level = self.level;
        let mut ids = Vec::new();
        for Identifier { name, .. } in parameters {
            let id = self.types.add_node(ArenaNode::Parameter { level, name: name.clone(), class: Class::ANY });
            self.parameters.entry(name.clone()).or_default().push(id);
            ids.push(id);
        }
        ids
    }

    /// Takes type parameters out of scope.
    pub(super) fn close_parameters(&mut self, parameters: &[Identifier]) {
        for Identifier { name, .. } in parameters {
            if let Some(ids) = self.parameters.get_mut(name) {
                ids.pop();
            }
        }
    }

    /// Converts a written type, and checks its size.
    pub(super) fn convert_type(&mut self, ty: &TypeExpression) -> Result<TypeRef, TypeError> {
        let id = self.convert_part(ty)?;
        // A single name makes no new nodes but those of an alias, which was measured when it was declared.
        if !matches!(ty.kind, TypeExpressionKind::Name(_, _, ref arguments) if arguments.is_empty()) {
            let result = self.types.check_size(id);
            self.within_limits(result, ty.span)?;
        }
        Ok(id)
    }

    fn convert_part(&mut self, ty: &TypeExpression) -> Result<TypeRef, TypeError> {
        with_stack(|| {
            if self.types.is_exhausted() {
                return Err(TypeError::TooLarge { span: ty.span });
            }
            Ok(match &ty.kind {
                TypeExpressionKind::Unit => TypeArena::UNIT,
                TypeExpressionKind::Name(module, name, arguments) => {
                    let mut ids = Vec::with_capacity(arguments.len());
                    for argument in arguments {
                        ids.push(self.convert_part(argument)?);
                    }
                    self.resolve_type_name(module.as_ref(), name, &ids, ty.span)?
                }
                TypeExpressionKind::Product(parts) => {
                    let mut ids = Vec::with_capacity(parts.len());
                    for part in parts {
                        ids.push(self.convert_part(part)?);
                    }
                    self.types.add_node(ArenaNode::Tuple(ids.into()))
                }
                TypeExpressionKind::Power(of, width) => {
                    let of = self.convert_part(of)?;
                    match width {
                        0 => TypeArena::UNIT,
                        1 => of,
                        // The components share one node, so `Real^10000` costs one.
                        _ => self.types.add_node(ArenaNode::Tuple(vec![of; *width].into())),
                    }
                }
                TypeExpressionKind::Function(domain, codomain) => {
                    let (domain, codomain) = (self.convert_part(domain)?, self.convert_part(codomain)?);
                    self.types.add_node(ArenaNode::Function(domain, codomain))
                }
                TypeExpressionKind::Iso(left, right) => {
                    let (left, right) = (self.convert_part(left)?, self.convert_part(right)?);
                    self.types.add_node(ArenaNode::Iso(left, right))
                }
            })
        })
    }

    fn resolve_type_name(
        &mut self,
        module: Option<&Name>,
        name: &Name,
        arguments: &[TypeRef],
        span: Span,
    ) -> Result<TypeRef, TypeError> {
        let takes = |takes: usize| {
            let given = arguments.len();
            let name = name.to_string();
            if takes == given { Ok(()) } else { Err(TypeError::TypeArguments { name, takes, given, span }) }
        };
        if module.is_none() {
            let is_parameter = self.parameters.get(name).is_some_and(|ids| !ids.is_empty());
            // The type that is being declared hides any other of its name, and occurs only with its own parameters.
            if let Some(declared) =
                self.data_in_progress.as_ref().filter(|declared| declared.name == *name && !is_parameter)
            {
                takes(declared.parameters.len())?;
                let (parameters, itself) = (declared.parameters.clone(), declared.itself);
                let is_own = |(&given, parameter): (&TypeRef, TypeRef)| self.types.find(given) == parameter;
                if arguments.iter().zip(parameters.iter().copied()).all(is_own) {
                    return Ok(itself);
                }
                let parameters: String =
                    parameters.iter().map(|&id| format!(" {}", self.types.export_for_message(id))).collect();
                let (expected, found) = (format!("{name}{parameters}"), self.source_excerpt(span));
                return Err(TypeError::Irregular { expected, found, span });
            }
            if let Some(&parameter) = self.parameters.get(name).and_then(|ids| ids.last()) {
                return takes(0).map(|()| parameter);
            }
            let basic = match &**name {
                "Real" | "ℜ" | "ℝ" => Some(TypeArena::REAL),
                // A node of its own, so that a written `Nat` can be told from an inferred one.
                "Nat" | "ℕ" => Some(TypeArena::WRITTEN_NAT),
                "Bool" | "𝔅" | "𝔹" => Some(TypeArena::BOOL),
                "Unit" | "unit" => Some(TypeArena::UNIT),
                _ => None,
            };
            if let Some(basic) = basic {
                return takes(0).map(|()| basic);
            }
            if &**name == "List" {
                takes(1)?;
                return Ok(self.types.add_node(ArenaNode::Data(DataType::list().clone(), arguments.into())));
            }
            if &**name == "Tan" {
                takes(1)?;
                return Ok(self.types.add_node(ArenaNode::Tangent(arguments[0])));
            }
        }
        let alias = match module {
            Some(module) => match self.find_module(module, span)?.find_named_type(name) {
                Some(alias) => Lookup::Found(alias.clone()),
                None => Lookup::Missing,
            },
            None => self.library.resolve_named_type(self.current, name),
        };
        match alias {
            Lookup::Found(alias) => {
                takes(alias.scheme.parameters.len())?;
                let result = self.types.import_written(&alias.scheme.ty, arguments);
                self.within_limits(result, span)
            }
            Lookup::Ambiguous(modules) => Err(TypeError::Ambiguous { name: name.to_string(), modules, span }),
            Lookup::Missing => Err(self.unknown_type_error(name, span)),
        }
    }
}
